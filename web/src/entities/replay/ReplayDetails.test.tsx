import { screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { renderPart } from '@/test/render'
import { aReplay } from '@/test/replays'
import cases from '../../../../game/testdata/cases.json'
import { ReplayDetails } from './ReplayDetails'
import { readReplay } from './readReplay'

const mapOf = (wanted: string) => cases.maps.find(({ name }) => name === wanted)?.encoded ?? ''

async function factsOf(file: File): Promise<Record<string, string | null | undefined>> {
  const replay = readReplay(new Uint8Array(await file.arrayBuffer()), new Date('2026-06-01T12:30:00Z'))
  renderPart(<ReplayDetails replay={replay} />)
  const terms = within(await screen.findByRole('region', { name: 'Replay info' })).getAllByRole('term')
  return Object.fromEntries(terms.map((term) => [term.textContent, term.nextElementSibling?.textContent]))
}

it('shows what was read from a replay', async () => {
  expect(await factsOf(aReplay())).toEqual({
    'Map name': 'Skyline Run',
    Author: 'cloudstep',
    'Game mode': 'Classic',
    'Game map id': '912044',
    'Player name': 'cloudstep',
    Level: '57',
    'Finish time': '00:41.27',
    Timestamp: '11 May 2026 at 18:02',
    'Mod version': '1.3.0',
    'Game version': '49',
    Validated: 'Yes',
  })
})

it('says what is missing in a replay', async () => {
  expect(await factsOf(new File(['Validated: false\n'], 'run.lbReplay'))).toEqual({
    'Map name': 'Unknown',
    Author: 'Unknown',
    'Game mode': 'View v1.3.0+',
    'Game map id': '-1',
    'Player name': 'Unknown',
    Level: '0',
    'Finish time': '00:00.00',
    Timestamp: '1 June 2026 at 12:30',
    'Mod version': 'Unknown',
    'Game version': 'Unknown',
    Validated: 'No',
  })
})

it('shows the label of a map without a mode', async () => {
  const replay = aReplay({ 'Game Mode': 'Grapple', 'Map Data': mapOf('no mode') })
  expect(await factsOf(replay)).toMatchObject({ 'Game mode': 'Grapple' })
})
