"""How much a form may send as files, measured while they arrive."""

from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler

from core.limits import LIMITS


class BoundedUpload(FileUploadHandler):
    """Ends a request whose files are together over LIMITS.form_files_bytes, before they fill the disk.

    Django bounds the fields of a form and not its files, and the check against cross-site requests reads the form of
    every visitor. A file a little over an import's limit still reaches its page, which says so in place.
    """

    limit = LIMITS.form_files_bytes
    size = 0

    @property
    def is_over(self) -> bool:
        return self.size > self.limit

    def refusal(self) -> Exception:
        """What ends the upload."""
        return RequestDataTooBig("the files of the form are too large")

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self.size += len(raw_data)
        if self.is_over:
            raise self.refusal()
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None
