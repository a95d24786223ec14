"""Files that come with Chainstep: examples, icons, fonts."""
