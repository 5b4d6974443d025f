import { fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { renderPart } from '@/test/render'
import { Button, type Column, DataTable } from '../index'

interface Player {
  id: string
  level: number
}

const columns: Column<Player>[] = [
  { header: 'Name', width: '5rem', sortBy: 'name', cell: ({ id }) => id },
  { header: 'Level', width: '2rem', sortBy: 'level', hideBelow: 'sm', cell: ({ level }) => level },
  { header: 'Note', width: '2rem', cell: () => <a href="/note">Note</a> },
]
const rows = [
  { id: 'cloudstep', level: 57 },
  { id: 'mossfoot', level: 3 },
]
const table = { label: 'Players', columns, rows, idOf: ({ id }: Player) => id }

const to = ({ id }: Player) => `/player/${id}`

const header = (name: string) => screen.getByRole('columnheader', { name })

describe('a DataTable', () => {
  it('has a row of bars under the same columns while the rows load', () => {
    renderPart(<DataTable {...table} rows={undefined} skeletonRows={2} />)
    const skeleton = screen.getAllByRole('row', { hidden: true }).slice(1)
    expect(skeleton).toHaveLength(2)
    const hidden = within(skeleton[0] as HTMLElement).getAllByRole('cell', { hidden: true })
    expect(hidden).toHaveLength(columns.length)
    // A hidden column is hidden in the header and in every row.
    const level = header('Level')
      .className.split(' ')
      .find((name) => name.includes('smDown'))
    expect(level).toBeDefined()
    expect(hidden[1]).toHaveClass(level ?? '')
  })

  it.each([
    ['Name', { sortBy: 'name', sortDir: 'asc' }, 'ascending', []],
    ['Name', { sortBy: 'name', sortDir: 'desc' }, 'descending', []],
    ['Level', { sortBy: 'name', sortDir: 'asc' }, 'none', [['level']]],
  ] as const)('is sorted by %s from %o', async (name, order, sorted, expected) => {
    const onSort = vi.fn()
    const { user } = renderPart(<DataTable {...table} sorting={{ ...order, onSort }} />)
    expect(header(name)).toHaveAttribute('aria-sort', sorted)
    expect(header('Note')).not.toHaveAttribute('aria-sort')
    const button = screen.getByRole('button', { name })
    // There is no other direction, and the button promises none.
    expect(button.ariaDisabled).toBe(sorted === 'none' ? null : 'true')
    await user.click(button)
    expect(onSort.mock.calls).toEqual(expected)
  })

  it('has actions of a row, which do not open the row', async () => {
    const onBan = vi.fn()
    const { user, router } = renderPart(
      <DataTable {...table} to={to} actions={({ id }) => <Button onClick={() => onBan(id)}>Ban {id}</Button>} />,
    )
    expect(header('Actions')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Ban mossfoot' }))
    expect(onBan).toHaveBeenCalledExactlyOnceWith('mossfoot')
    expect(router.state.location.pathname).toBe('/')
    await user.click(screen.getByText('cloudstep'))
    expect(router.state.location.pathname).toBe('/player/cloudstep')
  })

  it.each([
    ['a click with Ctrl', { ctrlKey: true }],
    ['a click with ⌘', { metaKey: true }],
    ['the middle button', { button: 1 }],
  ])('opens a row in a new tab with %s', (_, init) => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null)
    const { router } = renderPart(<DataTable {...table} to={to} />)
    const type = 'button' in init ? 'auxclick' : 'click'
    fireEvent(screen.getByText('cloudstep'), new MouseEvent(type, { bubbles: true, ...init }))
    expect(opened).toHaveBeenCalledExactlyOnceWith('/player/cloudstep', '_blank', 'noopener')
    expect(router.state.location.pathname).toBe('/')
  })

  it('does not open the row in which a text is selected', async () => {
    const { user, router } = renderPart(<DataTable {...table} to={to} />)
    const cell = screen.getByText('cloudstep')
    await user.pointer([{ target: cell, offset: 0, keys: '[MouseLeft>]' }, { offset: 5 }, { keys: '[/MouseLeft]' }])
    expect(getSelection()?.toString()).toBe('cloud')
    expect(router.state.location.pathname).toBe('/')
  })

  it.each([
    ['rows', { rows }],
    ['bars', { rows: undefined, skeletonRows: 1 }],
  ])('has two columns of one header with %s', (_, state) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    // A header may be a player's name, which may equal another header.
    const opponent: Column<Player> = { header: 'Level', width: '5rem', cell: ({ id }) => `${id}'s level` }
    renderPart(<DataTable {...table} {...state} columns={[...columns, opponent]} />)
    expect(screen.getAllByRole('columnheader').map((header) => header.textContent)).toEqual([
      'Name',
      'Level',
      'Note',
      'Level',
    ])
    const row = screen.getAllByRole('row', { hidden: true })[1] as HTMLElement
    const cells = within(row).getAllByRole('cell', { hidden: true })
    expect(cells.map((cell) => cell.textContent)).toEqual(
      state.rows ? ['cloudstep', '57', 'Note', "cloudstep's level"] : ['', '', '', ''],
    )
    expect(logged).not.toHaveBeenCalled()
  })

  it('has a pinned row below the others, in the same columns', () => {
    renderPart(<DataTable {...table} pinned={{ id: 'rain', level: 12 }} isCurrent={({ id }) => id === 'rain'} />)
    const last = screen.getAllByRole('row').at(-1) as HTMLElement
    expect(
      within(last)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ).toEqual(['rain', '12', 'Note'])
    expect(last).toHaveAttribute('aria-current', 'true')
    expect(screen.getAllByRole('rowgroup')).toHaveLength(3)
  })
})
