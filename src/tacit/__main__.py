"""``python -m tacit``: the command line, where the command itself is not on the path."""

from tacit.cli.main import run

if __name__ == "__main__":
    run()
