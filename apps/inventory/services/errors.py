"""Errors that the services of stock raise."""

from apps.core.errors import DomainError, ErrorCode


class NotEnoughInStock(DomainError):
    code = ErrorCode.CONFLICT
    message = "There are {have} here, not {wanted}."


class PromisedToBuyers(DomainError):
    """The pieces are in stock but promised to orders that have not been picked."""

    code = ErrorCode.CONFLICT
    message = "{promised} of the {have} pieces here are promised to buyers: {free} are free, not {wanted}."


class ItemGone(DomainError):
    code = ErrorCode.NOT_FOUND
    message = "This row is not in the inventory any more."


class ItemHoldsPieces(DomainError):
    code = ErrorCode.CONFLICT
    message = "Only rows with quantity 0 can be deleted; this one has {quantity}."


class StockBusy(DomainError):
    """Other requests kept moving the same rows. Nothing was changed."""

    code = ErrorCode.CONFLICT
    message = "Others are moving the same rows right now. Please try again."


class SyncRunning(DomainError):
    """A sync of this person is running; `data` holds its job."""

    code = ErrorCode.CONFLICT
    message = "A BSX sync is running already ({state}). Wait for it or cancel it first."


class CurrencyChanging(DomainError):
    """The amounts are being multiplied; `data` holds the job."""

    code = ErrorCode.CONFLICT
    message = "Your account is changing its currency. Wait for that or cancel it."


class SyncNotReady(DomainError):
    code = ErrorCode.CONFLICT
    message = "This sync is {state}; {expected}."


class StockChangedSince(DomainError):
    code = ErrorCode.CONFLICT
    message = "The inventory changed since this preview was made. Make a new preview first."


class ConfirmZeroed(DomainError):
    """More than a tenth of the lots would fall to 0; the person types how many."""

    code = ErrorCode.CONFLICT
    message = (
        "{zeroed} of {total} lots are not in the file and would be set to 0. "
        "Confirm with confirm_zeroed = {zeroed}."
    )


class ConfirmAnotherStore(DomainError):
    """The file names fewer than half of the store's lots; the person types how many."""

    code = ErrorCode.CONFLICT
    message = (
        "The file names {there} of your store's {listed} lots: it looks like another store's. "
        "Confirm with confirm_zeroed = {wanted}."
    )


class CurrencyDiffers(DomainError):
    """The file is in another currency; `data` has both."""

    code = ErrorCode.CONFLICT
    message = (
        "The file is in {file_currency}, your store in {store_currency}. Choose "
        "currency_action relabel, or convert with a rate, and preview again."
    )


class RowsChangedSince(DomainError):
    """Rows that the import wrote were changed after it; `data` lists the first of them."""

    code = ErrorCode.CONFLICT
    message = (
        "{count} rows were changed since this import. Choose rows_changed_since: mine keeps "
        "them as they are, theirs puts them back as well."
    )
