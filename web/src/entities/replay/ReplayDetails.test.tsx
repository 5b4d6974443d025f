import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderPart } from '@/test/render'
import { ReplayDetails } from './ReplayDetails'
import type { ReplayInfo } from './replayInfo'

const replay: ReplayInfo = {
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
  finishIsAmbiguous: false,
}

describe('what was read of a replay', () => {
  it('has no hints where nothing is odd', () => {
    renderPart(<ReplayDetails replay={replay} />)
    expect(screen.getByText('Skyline Run')).toBeVisible()
    expect(screen.queryByRole('list', { name: 'Hints' })).not.toBeInTheDocument()
  })

  it.each([
    ['has no time stamp', { timestampMissing: true }, /does not say when the record was made/],
    ['has a time stamp from the future', { timestampFault: 'ahead' as const }, /time stamp is in the future/],
    ['may count too early', { finishIsAmbiguous: true }, /a finish may count too early/],
    [
      'contradicts its map',
      { disagreements: [{ subject: 'map name' as const, line: 2, label: 'Rooftops', data: 'Skyline Run' }] },
      'The file gives the map name as "Rooftops", but the map in it says "Skyline Run". Such a file is refused.',
    ],
  ])('hints at a run that %s', (_, odd, hint) => {
    renderPart(<ReplayDetails replay={{ ...replay, ...odd }} />)
    expect(screen.getByRole('list', { name: 'Hints' })).toHaveTextContent(hint)
  })
})
