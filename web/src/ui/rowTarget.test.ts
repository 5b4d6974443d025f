import { expect, it, vi } from 'vitest'
import { rowTarget } from './rowTarget'

function aRow() {
  document.body.innerHTML = '<table><tbody><tr tabindex="-1"></tr></tbody></table>'
  const row = document.querySelector('tr') as HTMLTableRowElement
  const scrolled = vi.fn()
  row.scrollIntoView = scrolled
  return { row, scrolled }
}

it('scrolls to its row and focuses it when the row is shown', () => {
  const { row, scrolled } = aRow()
  const target = rowTarget('a')
  target.ref(null)
  target.ref(row)
  expect(scrolled).not.toHaveBeenCalled()
  target.start()
  expect(scrolled).toHaveBeenCalledExactlyOnceWith({ block: 'center' })
  expect(row).toHaveFocus()
})

it('leaves the page where it is when the row is shown once more', () => {
  const first = aRow()
  const target = rowTarget('a')
  target.start()
  target.ref(first.row)
  const again = aRow()
  target.ref(again.row)
  expect(again.scrolled).not.toHaveBeenCalled()
  expect(again.row).not.toHaveFocus()
})
