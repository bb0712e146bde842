"""Long trials of what is promised: folders forged by the hundred thousand, an index used for an hour.

``make fuzz`` and ``make soak`` run them at length; a short piece of each is a test.
"""
