"""Files without pages become blocks: Word, PowerPoint, Excel, CSV, HTML, Markdown, plain text."""
