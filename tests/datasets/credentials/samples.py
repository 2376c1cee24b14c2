"""Made-up credentials of every kind, put together at run time: no file of the repository holds a whole one.

The shapes are written down here a second time, from the vendors' descriptions, and not read from the patterns.
"""

import base64
import json
import random
import string
from collections.abc import Callable
from dataclasses import dataclass

LOWER, UPPER, DIGITS = string.ascii_lowercase, string.ascii_uppercase, string.digits
ALNUM = LOWER + UPPER + DIGITS
URLSAFE = ALNUM + "-_"
BASE64 = ALNUM + "+/"
HEX = "0123456789abcdef"

Dice = random.Random


@dataclass(frozen=True)
class Sample:
    """A made-up credential: its kind, the secret itself, and what must stand around it for it to be known."""

    kind: str
    secret: str
    around: str = "{}"
    breakable: bool = False

    @property
    def text(self) -> str:
        return self.around.replace("{}", self.secret)


def some(dice: Dice, alphabet: str, length: int) -> str:
    """Random characters that begin and end with a letter or digit, and hold of each where the alphabet does."""
    body = [dice.choice(alphabet) for _ in range(length)]
    plain = [c for c in alphabet if c.isalnum()]
    body[0], body[-1] = dice.choice(plain), dice.choice(plain)
    for at, group in enumerate((LOWER, UPPER, DIGITS), start=1):
        usable = [c for c in group if c in alphabet]
        if usable and length > 6:
            body[at] = dice.choice(usable)
    return "".join(body)


def uuid(dice: Dice) -> str:
    return "-".join(some(dice, HEX, n) for n in (8, 4, 4, 4, 12))


def part(content: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(content, separators=(",", ":")).encode()).decode().rstrip("=")


def jwt(dice: Dice, signature: int = 43) -> str:
    head = part({"alg": "HS256", "typ": "JWT"})
    claims = part({"sub": some(dice, DIGITS, 10), "name": "Jo Doe", "iat": dice.randrange(10**9)})
    return f"{head}.{claims}.{some(dice, URLSAFE, signature)}"


Body = tuple[str, str, int]


def _joined(dice: Dice, pieces: tuple[str | tuple[str, int], ...]) -> str:
    return "".join(piece if isinstance(piece, str) else some(dice, *piece) for piece in pieces)


# kind, then the pieces of the credential: fixed texts, and (alphabet, length) for what is random.
SHAPED: tuple[tuple[str, tuple[str | tuple[str, int], ...]], ...] = (
    *(("github_token", (f"gh{letter}_", (ALNUM, 36))) for letter in "pousr"),
    ("github_token", ("github_pat_", (ALNUM, 22), "_", (ALNUM, 59))),
    *(("gitlab_token", (f"gl{name}-", (URLSAFE, 20))) for name in ("pat", "dt", "rt", "ft", "soat", "ffct")),
    ("gitlab_token", ("glptt-", (HEX, 40))),
    ("gitlab_token", ("glcbt-", (HEX, 2), "_", (URLSAFE, 20))),
    ("gitlab_token", ("glimt-", (LOWER + DIGITS, 25))),
    ("gitlab_token", ("glagent-", (URLSAFE, 50))),
    ("gitlab_token", ("gloas-", (HEX, 64))),
    ("gitlab_token", ("GR" + "1348941", (URLSAFE, 20))),
    ("bitbucket_token", ("ATBB", (ALNUM, 32))),
    ("atlassian_token", ("ATATT3", (URLSAFE, 177), "=", (UPPER[:6] + DIGITS, 8))),
    ("npm_token", ("npm_", (ALNUM, 36))),
    ("pypi_token", ("pypi-", "AgEIcHlwaS5vcmc", (URLSAFE, 120))),
    ("pypi_token", ("pypi-", "AgENdGVzdC5weXBpLm9yZw", (URLSAFE, 120))),
    ("rubygems_key", ("rubygems_", (HEX, 48))),
    ("docker_token", ("dckr_pat_", (URLSAFE, 27))),
    ("artifactory_key", ("AKC", "p", (ALNUM, 69))),
    ("artifactory_key", ("AKC", (ALNUM, 20))),
    ("artifactory_password", ("AP6", (ALNUM, 30))),
    ("artifactory_token", ("cmVmd", (ALNUM, 59))),
    ("sonar_token", ("sqp_", (HEX, 40))),
    ("terraform_token", ((ALNUM, 14), ".atlasv1.", (URLSAFE, 67))),
    ("pulumi_token", ("pul-", (HEX, 40))),
    ("postman_key", ("PMAK-", (HEX, 24), "-", (HEX, 34))),
    *(("aws_access_key", (prefix, (UPPER + "234567", 16))) for prefix in ("AKIA", "ASIA", "ABIA", "ACCA", "A3TX")),
    ("google_api_key", ("AIza", (URLSAFE, 35))),
    ("google_oauth_secret", ("GOCSPX-", (URLSAFE, 28))),
    ("google_oauth_token", ("ya29.", (URLSAFE, 120))),
    ("azure_client_secret", ((ALNUM, 3), "8Q~", (ALNUM + "_~-", 34))),
    *(("digitalocean_token", (f"do{letter}_v1_", (HEX, 64))) for letter in "por"),
    ("heroku_key", ("HRKU-", "AA", (URLSAFE, 58))),
    ("databricks_token", ("dapi", (HEX, 32))),
    ("alibaba_key", ("LTAI", (ALNUM, 20))),
    ("vault_token", ("hvs.", (URLSAFE, 95))),
    ("vault_token", ("hvb.", (URLSAFE, 150))),
    ("onepassword_token", ("ops_", "eyJ", (ALNUM, 300))),
    ("age_key", ("AGE-SECRET-KEY-1", (UPPER + DIGITS, 58))),
    ("doppler_token", ("dp.pt.", (ALNUM, 43))),
    ("vercel_token", ("vcp_", (ALNUM, 24))),
    ("netlify_token", ("nfp_", (ALNUM, 36))),
    ("supabase_token", ("sbp_", (HEX, 40))),
    ("tailscale_key", ("tskey-auth-", (ALNUM, 17), "-", (ALNUM, 32))),
    ("casebook_key", ("cbk_", (URLSAFE, 43))),
    ("anthropic_api_key", ("sk-ant-", "api03-", (URLSAFE, 93), "AA")),
    ("anthropic_api_key", ("sk-ant-", "admin01-", (URLSAFE, 93), "AA")),
    ("anthropic_api_key", ("sk-ant-", (ALNUM, 40))),
    ("openai_api_key", ("sk-", (ALNUM, 20), "T3Blbk" + "FJ", (ALNUM, 20))),
    ("openai_api_key", ("sk-proj-", (ALNUM, 48))),
    ("openai_api_key", ("sk-proj-", (URLSAFE, 74), "T3Blbk" + "FJ", (URLSAFE, 74))),
    ("openai_api_key", ("sk-svcacct-", (URLSAFE, 74), "T3Blbk" + "FJ", (URLSAFE, 74))),
    ("openai_api_key", ("sk-admin-", (URLSAFE, 58), "T3Blbk" + "FJ", (URLSAFE, 58))),
    ("openai_api_key", ("sk-", (ALNUM, 48))),
    ("openrouter_api_key", ("sk-or-v1-", (HEX, 64))),
    ("huggingface_token", ("hf_", (LOWER + UPPER, 34))),
    ("huggingface_token", ("api_org_", (LOWER + UPPER, 34))),
    ("groq_api_key", ("gsk_", (ALNUM, 52))),
    ("perplexity_api_key", ("pplx-", (ALNUM, 48))),
    ("replicate_token", ("r8_", (ALNUM, 37))),
    ("slack_token", ("xoxb-", (DIGITS, 12), "-", (DIGITS, 12), "-", (ALNUM, 24))),
    ("slack_token", ("xoxp-", (DIGITS, 11), "-", (DIGITS, 11), "-", (DIGITS, 12), "-", (HEX, 32))),
    ("slack_token", ("xapp-1-", (UPPER + DIGITS, 11), "-", (DIGITS, 13), "-", (HEX, 64))),
    ("slack_webhook", ("https://hooks.slack", ".com/services/T", (UPPER, 8), "/B", (UPPER, 8), "/", (ALNUM, 24))),
    ("discord_token", ("M", "T", (ALNUM, 22), ".", (URLSAFE, 6), ".", (URLSAFE, 27))),
    ("telegram_token", ((DIGITS, 9), ":AA", (URLSAFE, 33))),
    ("twilio_key", ("SK", (HEX, 32))),
    ("twilio_key", ("AC", (HEX, 32))),
    ("sendgrid_key", ("SG.", (URLSAFE, 22), ".", (URLSAFE, 43))),
    ("mailchimp_key", ((HEX, 32), "-us", (DIGITS, 2))),
    ("mailgun_key", ("key-", (HEX, 32))),
    ("brevo_key", ("xkeysib-", (HEX, 64), "-", (ALNUM, 16))),
    ("stripe_key", ("sk_live_", (ALNUM, 24))),
    ("stripe_key", ("rk_live_", (ALNUM, 99))),
    ("stripe_key", ("sk_test_", (ALNUM, 24))),
    ("stripe_webhook_secret", ("whsec_", (ALNUM, 32))),
    ("square_token", ("sq0csp-", (URLSAFE, 43))),
    ("square_token", ("sq0atp-", (URLSAFE, 22))),
    ("square_token", ("EAAA", (URLSAFE, 60))),
    *(("shopify_token", (f"shp{name}_", (HEX, 32))) for name in ("at", "ca", "pa", "ss")),
    ("linear_key", ("lin_api_", (ALNUM, 40))),
    ("notion_token", ("ntn_", (DIGITS, 11), (ALNUM, 35))),
    ("notion_token", ("secret_", (ALNUM, 43))),
    ("grafana_token", ("glsa_", (ALNUM, 32), "_", (HEX, 8))),
    ("grafana_token", ("glc_", (BASE64, 90))),
    ("figma_token", ("figd_", (URLSAFE, 43))),
    ("dropbox_token", ("sl.", (URLSAFE, 135))),
    ("sentry_token", ("sntryu_", (HEX, 64))),
    ("new_relic_key", ("NRAK-", (UPPER + DIGITS, 27))),
    ("new_relic_key", ("NRJS-", (HEX, 19))),
    ("bitbucket_token", ("ATCTT3", (URLSAFE, 177), "=", (UPPER[:6] + DIGITS, 8))),
    ("circleci_token", ("CCIPAT_", (ALNUM, 22), "_", (HEX, 40))),
    ("nuget_key", ("oy2", (LOWER + DIGITS, 43))),
    ("crates_token", ("cio", (ALNUM, 32))),
    ("clojars_token", ("CLOJARS_", (LOWER + DIGITS, 60))),
    ("aws_bedrock_key", ("ABSK", (BASE64, 109))),
    ("aws_bedrock_key", ("bedrock-api-key-", (BASE64, 80))),
    ("cloudflare_key", ("v1.0-", (HEX, 24), "-", (HEX, 146))),
    ("fly_token", ("fo1_", (URLSAFE, 43))),
    ("fly_token", ("fm2_", (BASE64, 120))),
    ("supabase_key", ("sb_secret_", (URLSAFE, 31))),
    ("planetscale_token", ("pscale_tkn_", (URLSAFE, 43))),
    ("openshift_token", ("sha256~", (URLSAFE, 43))),
    ("langfuse_secret_key", ("sk-lf-", (HEX, 8), "-", (HEX, 4), "-", (HEX, 4), "-", (HEX, 4), "-", (HEX, 12))),
    ("langsmith_key", ("lsv2_pt_", (HEX, 32), "_", (HEX, 10))),
    ("xai_api_key", ("xai-", (ALNUM, 80))),
    ("weights_and_biases_key", ("wandb_v1_", (URLSAFE, 77))),
    ("discord_token", ("mfa.", (URLSAFE, 84))),
    ("shippo_token", ("shippo_live_", (HEX, 40))),
    ("easypost_key", ("EZAK", (ALNUM, 54))),
    ("flutterwave_key", ("FLWSECK_TEST-", (LOWER[:8] + DIGITS, 32), "-X")),
    ("paypal_token", ("access_token$production$", (LOWER + DIGITS, 16), "$", (HEX, 32))),
    ("airtable_token", ("pat", (ALNUM, 14), ".", (HEX, 64))),
    ("dynatrace_token", ("dt0c01.", (UPPER + DIGITS, 24), ".", (UPPER + DIGITS, 64))),
    ("typeform_token", ("tfp_", (URLSAFE, 59))),
    ("readme_key", ("rdme_", (LOWER + DIGITS, 70))),
    ("sentry_token", ("sntrys_eyJ", (ALNUM, 120), "_", (ALNUM, 43))),
    ("grafana_token", ("eyJrIjoi", (ALNUM, 80))),
    ("hubspot_token", ("pat-na1-", (HEX, 8), "-", (HEX, 4), "-", (HEX, 4), "-", (HEX, 4), "-", (HEX, 12))),
)

# kind, what stands around the secret, alphabet, length: known only by what stands beside it.
BESIDE: tuple[tuple[str, str, str, int], ...] = (
    ("aws_secret_key", 'aws_secret_access_key = "{}"', BASE64, 40),
    ("aws_secret_key", "AWS_SECRET_ACCESS_KEY={}", BASE64, 40),
    ("aws_secret_key", '"SecretAccessKey": "{}"', BASE64, 40),
    ("aws_secret_key", "aws_key: '{}'", BASE64, 40),
    ("cloudant_password", 'cloudant_password = "{}"', HEX, 64),
    ("cloudant_password", "cloudant-key: {}", LOWER, 24),
    ("softlayer_key", "softlayer_api_key = {}", LOWER + DIGITS, 64),
    ("softlayer_key", "https://api.softlayer.com/soap/v3/{}", LOWER + DIGITS, 64),
    ("ibm_cloud_key", 'ibm_cloud_api_key: "{}"', URLSAFE, 44),
    ("ibm_cos_key", 'cos_hmac_secret_access_key = "{}"', HEX, 48),
    ("fastly_token", "FASTLY_API_TOKEN={}", URLSAFE, 32),
    ("twilio_auth_token", "TWILIO_AUTH_TOKEN={}", HEX, 32),
    ("artifactory_key", "ARTIFACTORY_API_KEY={}", ALNUM, 73),
    ("dropbox_token", "dropbox_secret: {}", LOWER + DIGITS, 15),
    ("linear_secret", 'linear_client_secret = "{}"', HEX, 32),
    ("discord_secret", "DISCORD_CLIENT_SECRET={}", URLSAFE, 32),
    ("cloudflare_key", "CLOUDFLARE_API_TOKEN={}", URLSAFE, 40),
    ("datadog_key", "DD_API_KEY={}", HEX, 32),
    ("cohere_api_key", "COHERE_API_KEY={}", ALNUM, 40),
    ("mistral_api_key", "MISTRAL_API_KEY={}", ALNUM, 32),
    ("azure_openai_key", "AZURE_OPENAI_API_KEY={}", HEX, 32),
    ("azure_access_key", "Endpoint=sb://shop.example.net/;SharedAccessKeyName=root;SharedAccessKey={}", BASE64, 43),
    ("sentry_token", "SENTRY_AUTH_TOKEN={}", HEX, 64),
    ("algolia_key", "ALGOLIA_API_KEY={}", HEX, 32),
    ("digitalocean_token", "DO_TOKEN={}", HEX, 64),
    ("gitlab_token", "Cookie: _gitlab_session={}", HEX, 32),
    ("npm_token", "//registry.example.com/:_authToken={}", HEX, 36),
    ("discord_webhook", "https://discord.com/api/webhooks/123456789012345678/{}", ALNUM, 68),
    ("bearer_token", "Authorization: Bearer {}", URLSAFE, 40),
    ("bearer_token", "use bearer {} for the call", ALNUM, 24),
    ("url_password", "https://jo:{}@example.com/path?q=1", ALNUM, 12),
    ("url_password", "postgres://app:{}@db.internal:5432/shop", ALNUM + "!$", 16),
    ("url_password", "mongodb+srv://app:{}@cluster0.example.net/db", ALNUM, 16),
    ("url_password", "redis://:{}@cache:6379/0", ALNUM, 20),
    ("url_password", "amqp://worker:{}@queue/v", LOWER, 9),
    ("secret", "password = {}", ALNUM, 10),
    ("secret", 'password: "{}"', ALNUM + "!#%", 12),
    ("secret", "DB_PASSWORD={}", LOWER, 9),
    ("secret", "my password is {}.", ALNUM, 9),
    ("secret", "mi contraseña es {}", ALNUM, 9),
    ("secret", "Moje hasło to {}, proszę sprawdzić", ALNUM, 9),
    ("secret", "**Password:** {}", ALNUM, 9),
    ("secret", "<password>{}</password>", ALNUM, 12),
    ("secret", "api_key: {}", HEX, 32),
    ("secret", '"apiKey": "{}"', ALNUM, 24),
    ("secret", "X-Api-Key: {}", ALNUM, 32),
    ("secret", "client_secret={}&grant_type=client_credentials", ALNUM, 32),
    ("secret", "https://example.com/v1?api_key={}&page=2", ALNUM, 32),
    ("secret", "deploy --token {} --dry-run", ALNUM, 24),
    ("secret", "access_token => '{}'", ALNUM, 30),
    ("secret", 'const apiSecret = "{}";', ALNUM, 24),
    ("secret", "Server=db;User Id=app;Password={};Encrypt=true", ALNUM, 12),
    ("secret", 'secret_key := "{}"', ALNUM, 40),
    ("secret", "Authorization: {}", ALNUM, 32),
)


def _basic(dice: Dice) -> Sample:
    pair = f"{some(dice, LOWER, 6)}:{some(dice, ALNUM, 12)}"
    return Sample("basic_auth", base64.b64encode(pair.encode()).decode(), "Authorization: Basic {}")


def _private_key(dice: Dice) -> Sample:
    label = dice.choice(("", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "DSA "))
    lines = "\n".join(some(dice, BASE64, 64) for _ in range(dice.randrange(3, 9)))
    return Sample(
        "private_key", f"-----BEGIN {label}PRIVATE" + f" KEY-----\n{lines}\n-----END {label}PRIVATE" + " KEY-----"
    )


def _secret_key_of_1password(dice: Dice) -> Sample:
    groups = "-".join(some(dice, UPPER + DIGITS, n) for n in (6, 6, 5, 5, 5, 5))
    return Sample("onepassword_secret_key", f"A3-{groups}")


def _teams_webhook(dice: Dice) -> str:
    site = "https://shop.webhook.office" + f".com/webhookb2/{uuid(dice)}@{uuid(dice)}"
    return f"{site}/IncomingWebhook/{some(dice, HEX, 32)}/{uuid(dice)}"


SPECIAL: tuple[Callable[[Dice], Sample], ...] = (
    lambda dice: Sample("jwt", jwt(dice)),
    lambda dice: Sample("jwt", jwt(dice, 342)),
    lambda dice: Sample(
        "azure_storage_key", some(dice, BASE64, 86) + "==", "AccountName=shop;AccountKey={};Secure=true"
    ),
    lambda dice: Sample(
        "azure_sas_signature", some(dice, ALNUM, 43) + "%3D", "https://x.blob.example.net/c?sv=2022&sig={}"
    ),
    lambda dice: Sample("gitlab_token", f"glpat-{some(dice, URLSAFE, 30)}.{some(dice, LOWER + DIGITS, 9)}"),
    lambda dice: Sample("github_token", f"gh{'s'}_{some(dice, DIGITS, 7)}_{jwt(dice, 86)}"),
    lambda dice: Sample("asana_token", f"{some(dice, DIGITS, 16)}:{some(dice, HEX, 32)}", "asana 1/{}"),
    lambda dice: Sample("snyk_token", uuid(dice), "SNYK_TOKEN={}"),
    lambda dice: Sample("okta_token", "00" + some(dice, URLSAFE, 40), "OKTA_API_TOKEN={}"),
    lambda dice: Sample("vault_token", "s." + some(dice, ALNUM, 24), "VAULT_TOKEN={}"),
    lambda dice: Sample("github_token", some(dice, HEX, 40), "https://{}:x-oauth-basic@github.com/a/b"),
    lambda dice: Sample("basic_auth", some(dice, ALNUM, 14), "curl -u jo:{} https://example.com"),
    lambda dice: Sample("teams_webhook", _teams_webhook(dice)),
    lambda dice: Sample("heroku_key", uuid(dice), "HEROKU_API_KEY={}"),
    lambda dice: Sample("secret", uuid(dice), '"api_token": "{}"'),
    _basic,
    _private_key,
    _secret_key_of_1password,
)


def samples(dice: Dice, of_each: int = 1) -> list[Sample]:
    """That many made-up credentials of each shape of each kind."""
    made = []
    for _ in range(of_each):
        made += [Sample(kind, _joined(dice, pieces), breakable=True) for kind, pieces in SHAPED]
        made += [Sample(kind, some(dice, alphabet, n), around) for kind, around, alphabet, n in BESIDE]
        made += [special(dice) for special in SPECIAL]
    return made
