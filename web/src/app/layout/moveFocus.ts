/** Moves the focus to the next or the previous field, button or link of an element. */
export function moveFocus(within: Element, step: 1 | -1): void {
  const targets = [...within.querySelectorAll<HTMLElement>('input, button, a')]
  const current = targets.findIndex((target) => target.matches(':focus'))
  targets[current + step]?.focus()
}
