"""The page of a result as text."""

from flank.report.document import result_document
from flank.report.html import page


def report_text(result, pictures):
    return page(result_document(result, pictures))
