"""Ordinary texts in which nothing may be hidden: letters, code, logs, numbers, words like tokens (DS-D62)."""

import base64
import random

_dice = random.Random(20)  # noqa: S311
_noise = bytes(_dice.randrange(256) for _ in range(6000))
_PICTURE = base64.b64encode(_noise).decode()


def _hex(nth: int, length: int) -> str:
    """A hash, a commit, an id of a trace."""
    return _noise.hex()[100 * nth : 100 * nth + length]


_PRIVATE = "PRIVATE" + " KEY"

PROSE = (
    "The password is required. Enter a password of at least 12 characters, with a digit and a sign.",
    "I forgot my password: what should I do? The reset link in the e-mail expired after 24 hours.",
    "Password: required. Token: optional. Secret: not needed here.",
    "Our password policy is strict: passwords expire after 90 days, and the last 5 cannot be used again.",
    "A token is roughly four characters of English text, so 1,000 tokens are about 750 words.",
    "The token is valid for 3600 seconds; after that the client asks for a new token.",
    "The secret is to keep the dough cold. The key to a good crust is patience.",
    "Key: value pairs are separated by commas. The primary key is id, the foreign key is order_id.",
    "Basic English is enough. Basic authentication sends the name and the password in base64.",
    "Bearer tokens are sent in the Authorization header. The bearer of this letter is my brother.",
    "Bearer authentication (also called token authentication) has two parts.",
    "Use Authorization: Bearer <token> and replace <token> by yours.",
    "She works at a desk-top publisher and asks risk-averse clients task-specific questions.",
    "Ask-anything and task-oriented-dialogue-systems-for-everyone are projects, as is scikit-learn (sk-learn).",
    "Models: gpt-4o, gpt-4o-mini-2024-07-18, claude-3-5-sonnet-20241022, o3-mini, llama-3.1-70b-instruct.",
    f"The file begins with -----BEGIN {_PRIVATE}----- and ends with a matching line.",
    f"What is the difference between BEGIN RSA {_PRIVATE} and BEGIN {_PRIVATE} in such a file?",
    "Please write to jo.doe+x@example.co.uk or call +48 601 000 000 before 2026-11-30.",
    "The password manager is 1Password; the vault is shared. My password is not working.",
    "The token is base64-encoded and signed with SHA256; the password is bcrypt-hashed.",
    "Does the API key go into the header or into the query? It is called X-Api-Key in the documentation.",
    "Your API key: see Settings > Keys. Never share your secret key with anyone.",
    "Access token lifetime: 15 minutes. Refresh token lifetime: 30 days.",
    "The client secret is shown only once. Client secrets are rotated every 180 days.",
    "Mr. Skinner said: 'AKA the boss', and the ASIAN market in SKOPJE closed at 14:32.",
    "The password was changed on 2026-01-15 at 10:00. The old password is no longer accepted.",
    "Password is case-sensitive. Password is 8-64 characters long. Password must be unique.",
    "Credentials: ask the administrator. Authorization: required for all endpoints.",
    "That was the keyword: patience. A monkey: banana. A turkey = bird. Donkey: stubborn.",
    "The passage says: compassion2 is a footnote. The compass: north. Bypass = Umgehung.",
)

SPANISH = (
    "La contraseña es obligatoria. Introduzca una contraseña de al menos 12 caracteres.",
    "He olvidado mi contraseña: ¿qué debo hacer? El enlace caducó ayer a las 10:45.",
    "La clave es la paciencia. La clave: no abrir el horno antes de 40 minutos.",
    "El token es válido durante 3600 segundos y después el cliente pide otro.",
    "El precio del servicio es 1.250,00 €; el IBAN es ES91 2100 0418 4502 0005 1332.",
    "Contraseña: obligatoria. Usuario: el correo electrónico. País: España.",
    "La contraseña es incorrecta; la nueva contraseña debe ser distinta de la anterior.",
)

POLISH = (
    "Hasło jest wymagane. Hasło musi mieć co najmniej 12 znaków, w tym cyfrę.",
    "Zapomniałem hasła: co mam zrobić? Link z wiadomości stracił ważność po 24 godzinach.",
    "Hasło: wymagane. Login: adres e-mail. Kraj: Polska.",
    "Kluczem do sukcesu jest cierpliwość. Klucz: pod wycieraczką.",
    "Hasło to nie wszystko; hasło jest tylko początkiem.",
    "Numer zamówienia 4000120034560001, IBAN PL61 1090 1014 0000 0712 1981 2874, kwota 1 234,56 zł.",
    "Zażółć gęślą jaźń: klucz API znajdziesz w ustawieniach.",
)

CODE = (
    "def login(user: str, password: str, token: str | None = None):\n    return Session(user, password=password)",
    "password = getpass.getpass()\ntoken = request.headers['X-Token']\nsecret = settings.SECRET_KEY",
    'api_key = os.environ[\'API_KEY\']\napi_key = os.environ.get("API_KEY", "")\nclient = Client(api_key=api_key)',
    "const token = await getToken(user.id);\nconst { secret } = config;\nlet password = '';",
    "self.token = token\nself.api_key = api_key or self.default_api_key\nself.password = hash_password(password)",
    "if password == confirm_password:\n    raise ValueError('password: too short')",
    "password: {{ vault_password }}\ntoken: ${TOKEN}\nsecret: $SECRET\napi_key: <your-api-key>\nkey: %API_KEY%",
    "API_KEY=xxxx\nAPI_TOKEN=\nPASSWORD=changeme\nSECRET=your-secret-here\nTOKEN=...\nDB_PASSWORD=********",
    "password: string;\ntoken: Optional[str] = None\nsecret?: string\napiKey: process.env.API_KEY",
    "max_tokens=4096\nprompt_tokens: 512\ntoken_count: 1024\nnext_page_token: CAUQAA1234abcd5678\npad_token = '<pad>'",
    '{"type": "object", "properties": {"password": {"type": "string"}, "token": {"type": "string"}}, "required": []}',
    '{"field": "password", "label": "Password", "hint": "At least 12 characters"}',
    "SELECT password_hash, token_id FROM users WHERE api_key_id = 7 AND secret_name = 'db-credentials-2';",
    'resource "aws_iam_access_key" "ci" { user = var.user }\npassword = var.db_password\ntoken = data.vault.token',
    "password = user_input2\ntoken = tokens[0]\nsecret = secrets.choice(words)\nkey = keys.pop()",
    "env:\n  GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}\n  NPM_TOKEN: ${{ secrets.NPM_TOKEN }}",
    "postgres://user:${PASSWORD}@host/db https://<user>:<password>@host http://user:{password}@host redis://u:***@h",
    "http://localhost:8080/@scope/pkg http://example.com:443?mail=jo@example.com ssh://git@example.com:22/x.git",
    "git clone git@github.com:casebook/casebook.git && cd casebook && make test",
    "curl -H 'Authorization: Bearer $TOKEN' -u $USER:$PASS https://example.com",
    "import { tokenize } from './tokenizer2';\nexport const secretSanta = 'December 24';",
    "docker run -e POSTGRES_PASSWORD -e API_KEY registry.example.com/app:1.2.3",
    "AWS_REGION=eu-west-1\nAWS_PROFILE=default\nARTIFACTORY_URL=https://example.com/artifactory",
    "hf_hub_download(repo_id='org/model', filename='model.safetensors')\nnpm_config_registry=https://example.com",
    "ghp_xxxx, glpat-<token>, sk-..., sk-proj-***, hf_..., npm_<token>, AIza..., xoxb-your-token and AKIA... are some.",
    "Tokens begin with ghp_\nor gho_\nor github_pat_\nand with sk-ant-\nat the other one.",
    "secretName: db-credentials-2\nserviceAccountName: deployer\ntokenReview: enabled",
    "token_type: bearer\ntoken_endpoint: https://example.com/oauth2/v1/token\nscope: read_api write_repository",
)

NUMBERS = (
    "1748503543004 110bcd25-a55d-453a-8046-1297901ea002 order 4000120034560001 v1.2.3.4 2026-11-30",
    "4111 1111 1111 1111, 4111-1111-1111-1112, DE89 3704 0044 0532 0130 00 URGENT, de89370400440532013000",
    "jo.doe+x@example.co.uk żółw@przykład.pl 612 345 678 +48 601 000 000",
    "ISBN 978-3-16-148410-0, ISBN-10 0-306-40615-2, DOI 10.1000/182, EAN 4006381333931",
    "commit " + _hex(1, 40) + " and " + _hex(2, 40)[:12],
    "sha256:" + _hex(3, 64) + " md5 " + _hex(4, 32),
    "sha512-" + base64.b64encode(_noise[100:164]).decode(),
    '    "integrity": "sha512-' + base64.b64encode(_noise[100:164]).decode() + '",',
    "requests==2.32.3 \\\n    --hash=sha256:" + _hex(5, 64),
    "request_id=" + _hex(6, 32) + " trace=00-" + _hex(7, 32) + "-b7ad6b7169203331-01",
    'etag: W/"' + _hex(8, 40) + '" cache_key=' + _hex(9, 40),
    "parcel 1Z999AA10123456784, invoice INV-2026-000417, ticket CASE-48213, flight LO3921, plate WX 4821K",
    "2026-03-01T10:00:00.123Z 2026-03-01 10:00:00+01:00 1700000000 10:45:12 192.168.0.1:5432 fe80::1%eth0",
    "0x7f3a9c2b4d10 #ff8800 rgb(12, 34, 56) 12:34:56:78:9a:bc 3.14159265358979 6.02214076e23",
    "order #A1B2C3D4, coupon SPRING-2026-XK7Q, seat 14C, size XL, SKU SK12345678 and AC-4821",
    "https://example.com/files/" + _hex(10, 64) + "/report.pdf?v=20260301&id=48213",
    "urn:uuid:550e8400-e29b-41d4-a716-446655440000 session 550e8400e29b41d4a716446655440000",
    "idempotency_key: 550e8400-e29b-41d4-a716-446655440000 partition key = 48213-2026-03",
)

PICTURES = (
    "data:image/png;base64," + _PICTURE,
    "![chart](data:image/jpeg;base64," + _PICTURE[1000:3000] + ")",
    _PICTURE[:4000],
    "\n".join(_PICTURE[at : at + 76] for at in range(0, 4000, 76)),
    "-----BEGIN CERTIFICATE-----\n"
    + "\n".join(_PICTURE[at : at + 64] for at in range(0, 1280, 64))
    + "\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\n" + _PICTURE[:392] + "\n-----END PUBLIC KEY-----",
    "ssh-ed25519 " + _PICTURE[:68] + " jo@laptop",
)

ORDINARY = PROSE + SPANISH + POLISH + CODE + NUMBERS + PICTURES
