import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { act, fireEvent, render as renderPlain, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { Sentence } from './basics'
import { useKeptFocus } from './keptFocus'
import { LiveArea, useJustUpdated, useLiveRows } from './live'

const Wrapper = ({ children }: { children: ReactNode }) => (
  <I18nProvider i18n={i18n} defaultComponent={Sentence}>
    <div {...useKeptFocus()}>{children}</div>
  </I18nProvider>
)
const render = (part: ReactNode) => renderPlain(part, { wrapper: Wrapper })

function List({ rows, list = 'a' }: { rows: string[] | undefined; list?: string }) {
  const live = useLiveRows(rows, (row) => row, list)
  return (
    <LiveArea live={live} waitingText="New row: show">
      {live.rows?.map((row) => (
        <button key={row} type="button" data-new={live.isNew(row)}>
          {row}
        </button>
      ))}
    </LiveArea>
  )
}

const shown = () => screen.getAllByRole('button').map(({ textContent }) => textContent)
const area = () => screen.getByRole('button', { name: 'one' }).parentElement as HTMLElement
const before = ['one', 'two']
const after = ['zero', 'one', 'two']

describe('the rows of a list that changes by itself', () => {
  it('are shown at once, with a mark for some seconds', () => {
    vi.useFakeTimers()
    const { rerender } = render(<List rows={undefined} />)
    rerender(<List rows={before} />)
    expect(screen.queryByText('Updated just now')).toBeNull()
    rerender(<List rows={after} />)
    expect(shown()).toEqual(after)
    expect(screen.getByText('Updated just now')).toBeVisible()
    expect(screen.getByRole('button', { name: 'zero' })).toHaveAttribute('data-new', 'true')
    expect(screen.getByRole('button', { name: 'one' })).toHaveAttribute('data-new', 'false')
    act(() => void vi.advanceTimersByTime(6000))
    expect(screen.queryByText('Updated just now')).toBeNull()
    expect(screen.getByRole('button', { name: 'zero' })).toHaveAttribute('data-new', 'false')
  })

  it('wait while a pointer is over them', () => {
    const { rerender } = render(<List rows={before} />)
    fireEvent.pointerEnter(area())
    rerender(<List rows={after} />)
    expect(shown()).toEqual([...before, 'New row: show'])
    expect(screen.queryByText('Updated just now')).toBeNull()
    fireEvent.pointerLeave(area())
    expect(shown()).toEqual(after)
  })

  it('wait while the focus is in them, until they are asked for', async () => {
    const user = userEvent.setup()
    const { rerender } = render(<List rows={before} />)
    act(() => screen.getByRole('button', { name: 'one' }).focus())
    rerender(<List rows={after} />)
    expect(shown()).toEqual([...before, 'New row: show'])
    expect(screen.getByRole('status')).toHaveTextContent('New row: show')
    await user.tab()
    await user.tab()
    await user.keyboard('{Enter}')
    expect(shown()).toEqual(after)
    await waitFor(() => expect(screen.getByRole('button', { name: 'zero' })).toHaveFocus())
  })

  it('are shown when the focus leaves them', () => {
    const { rerender } = render(<List rows={before} />)
    const one = screen.getByRole('button', { name: 'one' })
    act(() => one.focus())
    rerender(<List rows={after} />)
    expect(shown()).toEqual([...before, 'New row: show'])
    act(() => one.blur())
    expect(shown()).toEqual(after)
  })

  it('change under a pointer where none is added', () => {
    const { rerender } = render(<List rows={before} />)
    fireEvent.pointerEnter(area())
    rerender(<List rows={['one']} />)
    expect(shown()).toEqual(['one'])
  })

  it('are shown at once where another list is', () => {
    const { rerender } = render(<List rows={before} />)
    fireEvent.pointerEnter(area())
    rerender(<List rows={after} list="b" />)
    expect(shown()).toEqual(after)
    expect(screen.queryByText('Updated just now')).toBeNull()
  })
})

describe('a thing that was updated', () => {
  function Thing({ thing, id = 'a' }: { thing: object | undefined; id?: string }) {
    return <p>{useJustUpdated(thing, id) ? 'updated' : 'as before'}</p>
  }

  it('is marked for some seconds', () => {
    vi.useFakeTimers()
    const { rerender } = render(<Thing thing={undefined} />)
    rerender(<Thing thing={{ rank: 1 }} />)
    expect(screen.getByText('as before')).toBeVisible()
    rerender(<Thing thing={{ rank: 2 }} />)
    expect(screen.getByText('updated')).toBeVisible()
    act(() => void vi.advanceTimersByTime(6000))
    expect(screen.getByText('as before')).toBeVisible()
  })

  it('is not another thing', () => {
    const { rerender } = render(<Thing thing={{ rank: 1 }} />)
    rerender(<Thing thing={{ rank: 2 }} id="b" />)
    expect(screen.getByText('as before')).toBeVisible()
  })
})
