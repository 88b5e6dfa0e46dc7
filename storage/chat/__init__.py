"""Tables of assistants, chats, previews and turns."""
