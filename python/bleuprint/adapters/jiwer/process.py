"""The alignments, under the name of jiwer's module."""

from bleuprint.adapters.jiwer import AlignmentChunk, CharacterOutput, WordOutput, process_characters, process_words

__all__ = ["AlignmentChunk", "CharacterOutput", "WordOutput", "process_characters", "process_words"]
