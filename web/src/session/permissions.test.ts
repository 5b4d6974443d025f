import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Action, isAllowed, PERMISSIONS } from './permissions'

const ROLES = ['player', 'validator', 'moderator', 'admin']

// The rows of the table whose action needs a role on the site.
const documented = readFileSync('../docs/permissions.md', 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter((cells) => cells.length === 5 && !/^(action|-+)$/.test(cells[1] ?? ''))
  .map((cells) => ({ action: cells[1] ?? '', roles: ROLES.filter((role) => cells[2]?.split(', ').includes(role)) }))
  .filter(({ roles }) => roles.length > 0 && !roles.includes('player'))

describe('the permissions', () => {
  it('are those of the document', () => {
    expect(Object.keys(PERMISSIONS).sort()).toEqual(documented.map(({ action }) => action).sort())
  })

  it.each(documented)('of $action are $roles', ({ action, roles }) => {
    const allowed = ROLES.filter((role) => isAllowed({ roles: role === 'player' ? [] : [role] }, action as Action))
    expect(allowed).toEqual(roles)
  })
})
