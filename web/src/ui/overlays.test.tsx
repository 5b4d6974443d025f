import { screen, waitFor } from '@testing-library/react'
import type { ReactElement } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { renderPart } from '@/test/render'
import { Button, ConfirmDialog, Dialog, Drawer, Menu, Popover } from './index'

const overlays: [string, string, ReactElement][] = [
  [
    'Menu',
    'menu',
    <Menu.Root key="menu">
      <Menu.Trigger asChild>
        <Button>Open</Button>
      </Menu.Trigger>
      <Menu.Content>
        <Menu.Item value="a">First</Menu.Item>
      </Menu.Content>
    </Menu.Root>,
  ],
  [
    'Popover',
    'dialog',
    <Popover.Root key="popover">
      <Popover.Trigger asChild>
        <Button>Open</Button>
      </Popover.Trigger>
      <Popover.Content>
        <Popover.Title>Title</Popover.Title>
        <Button>Control</Button>
      </Popover.Content>
    </Popover.Root>,
  ],
  [
    'Dialog',
    'dialog',
    <Dialog.Root key="dialog">
      <Dialog.Trigger asChild>
        <Button>Open</Button>
      </Dialog.Trigger>
      <Dialog.Content>
        <Dialog.Title>Title</Dialog.Title>
      </Dialog.Content>
    </Dialog.Root>,
  ],
  [
    'Drawer',
    'dialog',
    <Drawer.Root key="drawer">
      <Drawer.Trigger asChild>
        <Button>Open</Button>
      </Drawer.Trigger>
      <Drawer.Content>
        <Drawer.Title>Title</Drawer.Title>
        <Drawer.CloseTrigger />
      </Drawer.Content>
    </Drawer.Root>,
  ],
]

// How long an animation frame takes on a page that is busy.
const FRAME_MS = 500

describe.each(overlays)('a %s', (_, role, part) => {
  it('opens, closes with Escape, and returns the focus to its button', async () => {
    const { user } = renderPart(part)
    const button = screen.getByRole('button', { name: 'Open' })
    expect(button).toHaveAttribute('aria-haspopup', role)
    expect(button).toHaveAttribute('aria-expanded', 'false')
    await user.click(button)
    await screen.findByRole(role)
    // Ark moves the focus an animation frame after it has opened.
    await waitFor(() => expect(screen.getByRole(role).contains(document.activeElement)).toBe(true))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole(role)).not.toBeInTheDocument())
    await waitFor(() => expect(screen.getByRole('button', { name: 'Open' })).toHaveFocus())
  })

  it('closes with an Escape that comes before the next animation frame, and its button has the focus', async () => {
    const { user } = renderPart(part)
    await user.hover(screen.getByRole('button', { name: 'Open' }))
    vi.spyOn(window, 'requestAnimationFrame').mockImplementation((callback) => Number(setTimeout(callback, FRAME_MS)))
    vi.spyOn(window, 'cancelAnimationFrame').mockImplementation((id) => clearTimeout(id))
    await user.click(screen.getByRole('button', { name: 'Open' }))
    await screen.findByRole(role)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole(role)).not.toBeInTheDocument())
    await waitFor(() => expect(screen.getByRole('button', { name: 'Open' })).toHaveFocus())
  })
})

it.each(overlays)('a %s that is left open on another page takes no key and no focus there', async (_, role, part) => {
  const left = renderPart(part)
  await left.user.click(screen.getByRole('button', { name: 'Open' }))
  await screen.findByRole(role)
  // Ark listens an animation frame after it has opened.
  await waitFor(() => expect(screen.getByRole(role).contains(document.activeElement)).toBe(true))
  left.unmount()
  await waitFor(() => expect(document.body).not.toHaveAttribute('data-inert'))
  expect(document.body).not.toHaveAttribute('style')

  const { user } = renderPart(
    <ConfirmDialog trigger={<Button>Delete</Button>} title="Sure?" confirm="Yes" onConfirm={vi.fn()}>
      Gone.
    </ConfirmDialog>,
  )
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  const dialog = await screen.findByRole('alertdialog')
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
})

describe('a ConfirmDialog', () => {
  it('does nothing when it is cancelled', async () => {
    const { user, onConfirm } = ask()
    await user.click(screen.getByRole('button', { name: 'Delete the key' }))
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
    expect(onConfirm).not.toHaveBeenCalled()
  })

  it('stays open with its button loading until it is done', async () => {
    const { user, onConfirm, finish } = ask()
    await user.click(screen.getByRole('button', { name: 'Delete the key' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete this key?' })
    await user.click(screen.getByRole('button', { name: 'Delete' }))
    expect(onConfirm).toHaveBeenCalledOnce()
    expect(screen.getByRole('button', { name: 'Delete' })).toHaveAttribute('aria-busy', 'true')
    await user.keyboard('{Escape}')
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled()
    expect(dialog).toHaveAttribute('data-state', 'open')
    finish()
    await waitFor(() => expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument())
  })

  function ask() {
    let finish = () => {}
    const onConfirm = vi.fn(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve
        }),
    )
    const { user } = renderPart(
      <ConfirmDialog
        trigger={<Button>Delete the key</Button>}
        title="Delete this key?"
        confirm="Delete"
        onConfirm={onConfirm}
      >
        Programs that use it stop working.
      </ConfirmDialog>,
    )
    return { user, onConfirm, finish: () => finish() }
  }
})
