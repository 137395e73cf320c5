"""Errors that the services of stock raise."""

from apps.core.errors import DomainError, ErrorCode, StateConflict


class NotEnoughInStock(StateConflict):
    message = "There are {have} here, not {wanted}."


class PromisedToBuyers(StateConflict):
    """The pieces are in stock but promised to orders that have not been picked."""

    message = "{promised} of the {have} pieces here are promised to buyers: {free} are free, not {wanted}."


class ItemGone(DomainError):
    code = ErrorCode.NOT_FOUND
    message = "This row is not in the inventory any more."


class ItemHoldsPieces(StateConflict):
    message = "Only rows with quantity 0 can be deleted; this one has {quantity}."


class StockBusy(StateConflict):
    """Other requests kept moving the same rows. Nothing was changed."""

    message = "Others are moving the same rows right now. Please try again."


class SyncRunning(StateConflict):
    """A sync of this person is running; `data` holds its job."""

    message = "A BSX sync is running already ({state}). Wait for it or cancel it first."


class CurrencyChanging(StateConflict):
    """The amounts are being multiplied; `data` holds the job."""

    message = "Your account is changing its currency. Wait for that or cancel it."


class SyncNotReady(StateConflict):
    message = "This sync is {state}; {expected}."


class NothingToImport(StateConflict):
    """No lot of a file can become an item of a batch."""

    message = "No lot of this file can be imported: {why}. Preview it again with `table.columns`."


class StockChangedSince(StateConflict):
    message = "The inventory changed since this preview was made. Make a new preview first."


class ConfirmZeroed(StateConflict):
    """More than a tenth of the lots would fall to 0; the person types how many."""

    message = (
        "{zeroed} of {total} lots are not in the file and would be set to 0. "
        "Confirm with confirm_zeroed = {zeroed}."
    )


class ConfirmAnotherStore(StateConflict):
    """The file names fewer than half of the store's lots; the person types how many."""

    message = (
        "The file names {there} of your store's {listed} lots: it looks like another store's. "
        "Confirm with confirm_zeroed = {wanted}."
    )


class CurrencyDiffers(StateConflict):
    """The file is in another currency; `data` has both."""

    message = (
        "The file is in {file_currency}, your store in {store_currency}. Choose "
        "currency_action relabel, or convert with a rate, and preview again."
    )


class RowsChangedSince(StateConflict):
    """Rows that the import wrote were changed after it; `data` lists the first of them."""

    message = (
        "{count} rows were changed since this import. Choose rows_changed_since: mine keeps "
        "them as they are, theirs puts them back as well."
    )
