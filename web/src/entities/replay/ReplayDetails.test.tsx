import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderPart } from '@/test/render'
import { ReplayDetails } from './ReplayDetails'
import type { Replay } from './readReplay'

const replay: Replay = {
  mapName: 'Skyline Run',
  mapAuthor: 'cloudstep',
  mapId: 912044,
  gameMode: 'Classic',
  finishTime: 41267,
  playerName: 'cloudstep',
  playerLevel: 57,
  validated: true,
  replayVersion: '1.3.0',
  gameVersion: '49',
  timestamp: new Date('2026-05-11T18:02:33.120Z'),
  timestampMissing: false,
  timestampFault: '',
  disagreements: [],
}

describe('the details of a replay', () => {
  it('have no hints about a regular file', () => {
    renderPart(<ReplayDetails replay={replay} />)
    expect(screen.getByText('Skyline Run')).toBeVisible()
    expect(screen.queryByRole('list', { name: 'Hints' })).not.toBeInTheDocument()
  })

  it.each([
    ['has no time stamp', { timestampMissing: true }, /does not say when the record was made/],
    ['has a time stamp from the future', { timestampFault: 'ahead' as const }, /time stamp is in the future/],
    [
      'contradicts its map',
      { disagreements: [{ subject: 'map name', label: 'Rooftops', data: 'Skyline Run' }] },
      'The file gives the map name as "Rooftops", but the map in it says "Skyline Run". Such a file is refused.',
    ],
  ])('hint at a file that %s', (_, change, hint) => {
    renderPart(<ReplayDetails replay={{ ...replay, ...change }} />)
    expect(screen.getByRole('list', { name: 'Hints' })).toHaveTextContent(hint)
  })
})
