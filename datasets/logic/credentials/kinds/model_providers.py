"""Keys of the providers of language models and of tools around them, ours included."""

from datasets.logic.credentials.kind import Kind
from datasets.logic.credentials.shapes import ALNUM, HEX, RIGHT, URLSAFE, begins, counted, joint, open_ended, sized

OPENAI = "OpenAI: API keys of projects, service accounts and administrators"
ANTHROPIC = "Anthropic: API and admin keys; GitHub: supported secret scanning patterns"

_NO_WORDS = r"(?![\w-]{0,20}your[-_])"
_SK = begins("sk-")

KINDS = (
    Kind("casebook_key", "cbk_", rf"{begins('cbk_')}{sized(URLSAFE, 43, least=20)}", "Casebook: API keys (PL-7)"),
    Kind("anthropic_api_key", "sk-ant-", rf"{_SK}ant-(?:[a-z]{{3,8}}[0-9]{{2}}-)?{counted(URLSAFE, 95)}", ANTHROPIC),
    Kind("anthropic_api_key", "sk-ant-", rf"{_SK}ant-{_NO_WORDS}{open_ended(URLSAFE, 16, 'sk-ant-')}", ANTHROPIC),
    Kind(
        "openai_api_key",
        "sk-",
        rf"{_SK}(?:proj|svcacct|admin|service|None)-{_NO_WORDS}{sized(URLSAFE, 156, 124, 48, least=16, again='sk-')}",
        OPENAI,
    ),
    Kind(
        "openai_api_key", "T3BlbkFJ", rf"{_SK}(?=[{URLSAFE}]{{0,220}}T3BlbkFJ){open_ended(URLSAFE, 40, 'sk-')}", OPENAI
    ),
    Kind("openai_api_key", "sk-", rf"{_SK}{sized(ALNUM, 48, 32, least=20, again='sk-')}", OPENAI),
    Kind(
        "openrouter_api_key",
        "sk-or-",
        rf"{_SK}or-(?:v[0-9]-)?(?:{counted(HEX, 64)}|{counted(HEX, 32)})",
        "OpenRouter: API authentication",
    ),
    Kind("langfuse_secret_key", "sk-lf-", rf"{_SK}lf-{counted('0-9a-f-', 36)}", "Langfuse: API keys"),
    Kind(
        "langsmith_key",
        "lsv2_",
        rf"lsv2_(?:pt|sk)_{counted(HEX, 32)}(?:{joint('_')}{counted(HEX, 10)})?",
        "LangSmith: API keys",
    ),
    Kind(
        "huggingface_token", "hf_", rf"{begins('hf_')}{sized(ALNUM, 34, least=30)}", "Hugging Face: user access tokens"
    ),
    Kind(
        "huggingface_token",
        "api_org_",
        rf"{begins('api_org_')}{counted(ALNUM, 34)}",
        "Hugging Face: organisation tokens",
    ),
    Kind("groq_api_key", "gsk_", rf"{begins('gsk_')}{sized(ALNUM, 52, least=40)}", "Groq: API keys"),
    Kind("xai_api_key", "xai-", rf"{begins('xai-')}{sized(ALNUM, 80, least=60)}", "xAI: API keys"),
    Kind("perplexity_api_key", "pplx-", rf"{begins('pplx-')}{sized(ALNUM, 48, least=40)}", "Perplexity: API keys"),
    Kind("replicate_token", "r8_", rf"{begins('r8_')}{counted(ALNUM, 37)}{RIGHT}", "Replicate: API tokens"),
    Kind(
        "weights_and_biases_key", "wandb_v1_", rf"wandb_v1_{sized(URLSAFE, 77, least=60)}", "Weights & Biases: API keys"
    ),
)
