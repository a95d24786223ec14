"""The window: every widget gets the Session and knows no other widget."""
