import { screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { renderPart } from '@/test/render'
import { Pager, pageNumbers } from './Pager'

describe('page numbers', () => {
  it.each([
    { page: 1, pages: 3, shown: [1, 2, 3] },
    { page: 1, pages: 9, shown: [1, 2, null, 9] },
    { page: 3, pages: 9, shown: [1, 2, 3, 4, null, 9] },
    { page: 4, pages: 9, shown: [1, 2, 3, 4, 5, null, 9] },
    { page: 5, pages: 9, shown: [1, null, 4, 5, 6, null, 9] },
    { page: 9, pages: 9, shown: [1, null, 8, 9] },
  ])('around $page of $pages have one sibling on each side', ({ page, pages, shown }) => {
    expect(pageNumbers(page, pages)).toEqual(shown)
  })
})

it('shows no pagination where there is only one page', () => {
  renderPart(<Pager page={1} pages={1} label="Pages" onPage={() => {}} />)
  expect(screen.queryByRole('navigation')).not.toBeInTheDocument()
})

it('goes to the page that is chosen', async () => {
  const onPage = vi.fn()
  const { user } = renderPart(<Pager page={2} pages={5} label="Pages" onPage={onPage} />)
  expect(screen.getByRole('button', { name: 'Page 2' })).toHaveAttribute('aria-current', 'page')
  await user.click(screen.getByRole('button', { name: 'Page 5' }))
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  await user.click(screen.getByRole('button', { name: 'Previous page' }))
  expect(onPage.mock.calls).toEqual([[5], [3], [1]])
})
