"""A tokenizer of a few words."""

from pathlib import Path

WORDS = [
    *("[PAD]", "[UNK]", "[CLS]", "[SEP]"),
    *("yes", "no", "bad", "loud", "a", "b", "un", "##bad", "##a", "。", "会", ".", "🙂"),
]


def tokenizer_file(folder: Path) -> Path:
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import TemplateProcessing

    tokenizer = Tokenizer(WordPiece({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer.enable_padding(length=40)
    tokenizer.enable_truncation(4)
    file = folder / "tokenizer.json"
    tokenizer.save(str(file))
    return file
