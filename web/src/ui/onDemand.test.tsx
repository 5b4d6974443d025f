import { screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { renderPart } from '@/test/render'
import { Button } from './index'
import { onDemand } from './onDemand'

it('stays closed where its code does not come, says so, and opens on the next press', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  let offline = true
  const Menu = onDemand(async () => {
    if (offline) throw new TypeError('Failed to fetch dynamically imported module')
    return { default: () => <p>What opens</p> }
  })
  function Opener() {
    const { opened, buttonProps } = Menu.useOpened()
    if (!opened) return <Button {...buttonProps}>Open</Button>
    return <Menu.Component />
  }
  const { user } = renderPart(<Opener />)
  await user.click(screen.getByRole('button', { name: 'Open' }))
  expect(await screen.findByText('This could not be loaded. Please try again.')).toBeInTheDocument()
  offline = false
  // The button is disabled until its first press has ended, which is a moment after the toast.
  await waitFor(() => expect(screen.getByRole('button', { name: 'Open' })).toBeEnabled())
  await user.click(screen.getByRole('button', { name: 'Open' }))
  expect(await screen.findByText('What opens')).toBeVisible()
})

it('stays closed where the visitor does something else before its code comes', async () => {
  let come = () => {}
  const coming = new Promise<void>((resolve) => (come = resolve))
  const Menu = onDemand(async () => {
    await coming
    return { default: () => <p>What opens</p> }
  })
  function Opener() {
    const { opened, buttonProps } = Menu.useOpened()
    return opened ? <Menu.Component /> : <Button {...buttonProps}>Open</Button>
  }
  const { user } = renderPart(<Opener />)
  await user.click(screen.getByRole('button', { name: 'Open' }))
  await user.keyboard('{Tab}')
  come()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Open' })).toBeEnabled())
  expect(screen.queryByText('What opens')).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Open' }))
  expect(await screen.findByText('What opens')).toBeVisible()
})
