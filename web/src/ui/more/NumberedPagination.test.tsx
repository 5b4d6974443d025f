import { screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { renderPart } from '@/test/render'
import { NumberedPagination } from './NumberedPagination'

describe('page numbers', () => {
  it.each([
    { page: 1, pages: 3, shown: ['1', '2', '3'] },
    { page: 5, pages: 9, shown: ['1', '…', '4', '5', '6', '…', '9'] },
  ])('around $page of $pages have one sibling on each side', ({ page, pages, shown }) => {
    renderPart(<NumberedPagination page={page} pages={pages} label="Pages" onPage={() => {}} />)
    const navigation = screen.getByRole('navigation', { name: 'Pages' })
    expect(
      within(navigation)
        .getAllByText(/^(\d+|…)$/)
        .map((item) => item.textContent),
    ).toEqual(shown)
  })
})

it('shows no pagination where there is only one page', () => {
  renderPart(<NumberedPagination page={1} pages={1} label="Pages" onPage={() => {}} />)
  expect(screen.queryByRole('navigation')).not.toBeInTheDocument()
})

it('goes to the page that is chosen', async () => {
  const onPage = vi.fn()
  const { user } = renderPart(<NumberedPagination page={2} pages={5} label="Pages" onPage={onPage} />)
  expect(screen.getByRole('button', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page')
  await user.click(screen.getByRole('button', { name: 'Page 5' }))
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  await user.click(screen.getByRole('button', { name: 'Previous page' }))
  expect(onPage.mock.calls).toEqual([[5], [3], [1]])
})
