"""How static files are stored in production: hashed names, compressed, and our ES modules import each other by hash."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedModulesStorage(CompressedManifestStaticFilesStorage):
    """Django can follow the imports of every script, but stumbles over examples in comments of other people's.

    So it follows ours alone, those under js/. With hashed names a browser keeps every module for good, and a page never
    runs the modules of two releases together. Modules that import each other in a circle have no hash: it raises then.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        (
            "js/*.js",
            (
                (r"""(?P<matched>from\s*["'](?P<url>\.{1,2}/[^"']+)["'])""", 'from "%(url)s"'),
                (r"""(?P<matched>import\s*["'](?P<url>\.{1,2}/[^"']+)["'])""", 'import "%(url)s"'),
            ),
        ),
    )
