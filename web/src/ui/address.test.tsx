import { act, fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPart } from '@/test/render'
import { before, changeAddress, flag, oneOf, page, readAddress, setOf, text, useAddress } from './address'
import { PageLink } from './links'

const settings = { name: text(5), mode: oneOf(['a', 'b'], ''), sort: oneOf(['new', 'old'], 'new'), own: flag(), page }
const read = (query: string) => readAddress(settings, new URLSearchParams(query))

it('reads the settings of an address', () => {
  expect(read('name=%20a+long+name&mode=b&sort=old&own=true&page=3')).toEqual({
    name: 'a lon',
    mode: 'b',
    sort: 'old',
    own: true,
    page: 3,
  })
})

it.each(['', 'mode=c&sort=x&own=yes&page=0', 'page=1.5', 'page=-4', 'page=x'])(
  'takes what is invalid in "%s" for none',
  (query) => {
    expect(read(query)).toEqual({ name: '', mode: '', sort: 'new', own: false, page: 1 })
  },
)

it.each([
  ['page=3&mode=a', { name: 'x' }, 'name=x&mode=a'],
  ['page=3&mode=a', { page: 4 }, 'mode=a&page=4'],
  ['page=3&mode=a', { mode: '' }, ''],
  ['other=1&own=true', { sort: 'old' }, 'other=1&sort=old&own=true'],
] as const)('changes "%s" by %o', (query, change, changed) => {
  expect(changeAddress(settings, new URLSearchParams(query), change).toString()).toBe(changed)
})

it('begins a list without numbers at the newest entry after a change', () => {
  const older = new URLSearchParams('before=x&name=y')
  const list = { name: text(), before }
  expect(changeAddress(list, older, { name: 'z' }).toString()).toBe('name=z')
})

it('leaves out of a request what is not set', () => {
  expect(setOf(read('mode=a'))).toEqual({ mode: 'a', sort: 'new', page: 1 })
})

// What is pressed within act is pressed before the page is rendered again.
it.each([
  ['a link', 'Own'],
  ['a button', 'Named'],
])('keeps the change of %s that is on its way', async (_, first) => {
  function Part() {
    const [, show, linkTo] = useAddress(settings)
    return (
      <>
        <PageLink to={linkTo({ own: true })}>Own</PageLink>
        <button type="button" onClick={() => show({ name: 'x' })}>
          Named
        </button>
        <button type="button" onClick={() => show({ mode: 'b' })}>
          Mode
        </button>
      </>
    )
  }
  const { router } = renderPart(<Part />)
  act(() => {
    fireEvent.click(screen.getByText(first))
    fireEvent.click(screen.getByText('Mode'))
  })
  expect(router.state.location.search).toBe(first === 'Own' ? '?mode=b&own=true' : '?name=x&mode=b')
})

it.each([
  ['where the visitor has scrolled to', undefined, true],
  ['from the top', 'top', false],
] as const)('shows other settings %s', (_, from, kept) => {
  function Part() {
    const [, show] = useAddress(settings)
    return (
      <button type="button" onClick={() => show({ page: 2 }, from)}>
        Next
      </button>
    )
  }
  const { router } = renderPart(<Part />)
  fireEvent.click(screen.getByText('Next'))
  expect(router.state.location.search).toBe('?page=2')
  expect(router.state.preventScrollReset).toBe(kept)
})
