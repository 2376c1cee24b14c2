"""Where the words of passages are indexed (PL-24)."""

from core.full_text import FullTextIndex

PASSAGE_INDEX = FullTextIndex(table="agents_passage", column="words", within="knowledge_base_id")
