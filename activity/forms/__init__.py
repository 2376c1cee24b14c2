"""The forms of chat and activity."""
