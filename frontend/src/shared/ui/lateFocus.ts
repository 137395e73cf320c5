const AT_WORK =
  "[role=menu], [role=dialog], [aria-expanded=true], input, select, textarea, [contenteditable]";

/**
 * A ref of what is rendered once its data are known. It takes the focus, unless a person is typing
 * or has a menu or a dialog open: the focus would close it.
 */
export function lateFocus(element: HTMLElement | null): void {
  if (!document.activeElement?.closest(AT_WORK)) element?.focus();
}
