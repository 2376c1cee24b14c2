"""The pages of chat and activity."""
