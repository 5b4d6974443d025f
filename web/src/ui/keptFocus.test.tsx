import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { useKeptFocus } from './keptFocus'

interface Props {
  names: string[]
  /** What a click on a name leaves of the names. */
  leave: (name: string) => string[]
}

function Names({ names, leave }: Props) {
  const [shown, setShown] = useState(names)
  return (
    <section aria-label="Names" {...useKeptFocus()}>
      <button type="button" disabled>
        Disabled
      </button>
      {shown.length > 0 && (
        <ul>
          {shown.map((name) => (
            <li key={name}>
              <button type="button" onClick={() => setShown(leave(name))}>
                {name}
              </button>
            </li>
          ))}
        </ul>
      )}
      {!shown.includes('a') && <a href="/">Home page</a>}
    </section>
  )
}

const without = (removed: string) => ['a', 'b', 'c'].filter((name) => name !== removed)

it.each([
  ['to the entry after it', 'b', without, 'c'],
  ['to the entry before the last', 'c', without, 'b'],
  ['to the nearest link where the list is removed', 'b', () => [], 'Home page'],
])('goes %s', async (_, clicked, leave, focused) => {
  render(<Names names={['a', 'b', 'c']} leave={leave} />)
  await userEvent.click(screen.getByRole('button', { name: clicked }))
  await waitFor(() => expect(screen.getByText(focused)).toHaveFocus())
})

it('goes to the element where it has no button or link', async () => {
  function Once() {
    const [shown, setShown] = useState(true)
    return (
      <section aria-label="Once" {...useKeptFocus()}>
        {shown && (
          <button type="button" onClick={() => setShown(false)}>
            Once
          </button>
        )}
      </section>
    )
  }
  render(<Once />)
  await userEvent.click(screen.getByRole('button', { name: 'Once' }))
  await waitFor(() => expect(screen.getByRole('region', { name: 'Once' })).toHaveFocus())
})

it('stays elsewhere where the visitor has left', async () => {
  function Vanishing() {
    const [shown, setShown] = useState(true)
    return (
      <>
        <section {...useKeptFocus()}>{shown && <button type="button">Inside</button>}</section>
        <button type="button" onClick={() => setShown(false)}>
          Remove
        </button>
      </>
    )
  }
  render(<Vanishing />)
  await userEvent.click(screen.getByRole('button', { name: 'Inside' }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
  expect(screen.queryByText('Inside')).not.toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Remove' })).toHaveFocus()
})

it('goes back to the button that opened what is removed', async () => {
  function Form() {
    const [open, setOpen] = useState(false)
    return (
      <section {...useKeptFocus()}>
        <button type="button">First</button>
        <button type="button" disabled={open} onClick={() => setOpen(true)}>
          Open
        </button>
        {open && (
          <div>
            <input aria-label="Name" />
            <button type="button" onClick={() => setOpen(false)}>
              Close
            </button>
          </div>
        )}
      </section>
    )
  }
  render(<Form />)
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  await userEvent.click(screen.getByLabelText('Name'))
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Open' })).toHaveFocus())
})
