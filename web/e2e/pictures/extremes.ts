// What the names of the fixtures become: 24 and 64 letters, one letter, from right to left, and with emoji. Two maps have
// one name.
const NAMES: Record<string, string> = {
  cloudstep: 'Wolfgang_Amadeus_Mozart_',
  mossfoot: 'The_Quick_Brown_Fox_Jumps_Over_The_Lazy_Dog_And_Then_Once_More__',
  pebblehop: 'عداء الجدران السريع',
  Rain: 'i',
  Tumblewing: '🏃🏽‍♀️ 🔥🔥 gg',
  'Skyline Run': 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbea',
  'Moss Garden': 'The Long Way Around the Clock Tower',
  'Ice Drop': 'X',
  'Vtol 3': 'מסלול הגגות',
  Grip: '🧗 Grip 🧗',
}

const SECOND = 1000
const TWO_HOURS = 7_200_000

/** Returns an answer of the API with extreme names, times of a second and of two hours, and large numbers. */
export function withExtremes(answer: object): object {
  return JSON.parse(JSON.stringify(answer), (key: string, value: unknown) => {
    if (typeof value === 'string') return NAMES[value] ?? value
    if (typeof value !== 'number') return value
    if (key === 'finishTime') return value < 45_000 ? SECOND : value > 60_000 ? TWO_HOURS + value : value
    if (key === 'recordCount' || key === 'total') return value * 10_000
    return value
  }) as object
}
