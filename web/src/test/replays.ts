import cases from '../../../game/testdata/cases.json'

// The map of these replays is Skyline Run by cloudstep, number 912044 in the game.
const skyline = cases.maps.find(({ name }) => name === 'skyline')?.encoded ?? ''

// aReplay is a replay file of Skyline Run, with some labels changed.
export function aReplay(change: Record<string, string> = {}, name = 'run.lbReplay'): File {
  const labels: Record<string, string> = {
    'Finish Time': '00:41.27',
    'Player Name': 'cloudstep',
    'Player Level': '57',
    Validated: 'true',
    'Replay Version': '1.3.0',
    'Game Version': '49',
    Timestamp: '2026-05-11T18:02:33.120Z',
    'Map Data': skyline,
    ...change,
  }
  const lines = Object.entries(labels).map(([label, value]) => `${label}: ${value}\n`)
  return new File(lines, name, { type: '' })
}

export const anImage = (name = 'map.webp', type = 'image/webp', size = 100): File =>
  new File([new Uint8Array(size)], name, { type })
