"""Public names of tacit, for editors and type checkers; ``__init__.py`` imports them on first use."""

from tacit.errors import InputError as InputError
from tacit.errors import ModelError as ModelError
from tacit.errors import NotFittedError as NotFittedError
from tacit.errors import TacitError as TacitError
from tacit.kernels.classifier import TextClassifier as TextClassifier
from tacit.kernels.paper_kernels import ExponentialKernel as ExponentialKernel
from tacit.kernels.paper_kernels import VonNeumannKernel as VonNeumannKernel
from tacit.models.encoders import load_encoder as load_encoder
from tacit.models.text_model import TextModel as TextModel
from tacit.search.index import Index as Index
from tacit.senses.cluster_model import SenseModel as SenseModel
from tacit.senses.local_model import LocalSenseModel as LocalSenseModel
from tacit.text.vectorizer import TextVectorizer as TextVectorizer
from tacit.themes.theme_model import ThemeModel as ThemeModel
from tacit.training.bilingual import BilingualWMF as BilingualWMF
from tacit.training.wmf import WMF as WMF
from tacit.training.wtmf import WTMF as WTMF
from tacit.workflows.deduplication import dedupe as dedupe
from tacit.workflows.indexing import build_index as build_index
from tacit.workflows.learning import learn as learn
from tacit.workflows.linking import link as link
from tacit.workflows.loading import load as load
from tacit.workflows.teaching import teach as teach
from tacit.workflows.theme_finding import find_themes as find_themes

__version__: str
_MODULE_OF: dict[str, str]
