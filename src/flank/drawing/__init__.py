"""The moving drawing of a result: one document of data, one module of plain JavaScript.

`document_of` makes the data of a result, `document_of_machine` that of a machine at rest and
`document_of_turning` that of one whose shafts turn; `script` and `style` are the module in the
browser. The report, the studio, notebooks and the pages are shells around them.
"""

from flank.drawing.document import document_of as document_of
from flank.drawing.document import document_of_machine as document_of_machine
from flank.drawing.document import document_of_turning as document_of_turning
from flank.drawing.document import document_text as document_text
from flank.drawing.module import module as module
from flank.drawing.module import module_with as module_with
from flank.drawing.module import script as script
from flank.drawing.module import style as style
