import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderPart } from '@/test/render'
import { useKeys } from './keys'
import { SingleKeys } from './more/SingleKeys'

function Page({ action }: { action: () => unknown }) {
  useKeys({ n: action })
  return <SingleKeys />
}

it('a single key acts while its switch is on', async () => {
  const action = vi.fn()
  const { user } = renderPart(<Page action={action} />)
  await user.keyboard('n')
  expect(action).toHaveBeenCalledOnce()
  await user.click(screen.getByRole('checkbox', { name: 'Single keys act in this browser' }))
  screen.getByRole('checkbox').blur()
  await user.keyboard('n')
  expect(action).toHaveBeenCalledOnce()
})

it.each([
  ['is used up', undefined, true],
  ['is left to the browser where the action could not use it', false, false],
])('a single key %s', (_, result, used) => {
  renderPart(<Page action={() => result} />)
  const event = new KeyboardEvent('keydown', { key: 'n', bubbles: true, cancelable: true })
  document.body.dispatchEvent(event)
  expect(event.defaultPrevented).toBe(used)
})
