"""Readers of book formats, and the service that stores what they read."""
