"""Files without pages become blocks: Word, PowerPoint, Excel, HTML, Markdown, plain text."""
