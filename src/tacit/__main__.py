"""Run the command line with ``python -m tacit``."""

from tacit.cli.main import run

if __name__ == "__main__":
    run()
