import { screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { RankingRow } from '@/api'
import { aRanking, aRankingRow, cloudstep, mossfoot } from '@/test/fixtures'
import { renderRoute } from '@/test/render'
import { problem, server, url } from '@/test/server'

const asked: string[] = []
const own = aRankingRow({ rank: 39 })
const first = aRankingRow({
  player: mossfoot,
  value: 2400,
  points: 2400,
  change7d: { points: -3.5, places: -1 },
})

beforeEach(() => {
  asked.length = 0
})

function serve(rows: RankingRow[] = [first], around: RankingRow[] | null = [own], pages = 4) {
  server.use(
    http.get(url('/rankings'), ({ request }) => {
      const { searchParams } = new URL(request.url)
      searchParams.sort()
      asked.push(searchParams.toString())
      const periodUntil = searchParams.get('period') === 'month' ? '2026-06-01T00:00:00.000Z' : null
      if (!searchParams.has('around')) {
        return HttpResponse.json(
          aRanking(rows, { periodUntil, pagination: { total: 80, page: 1, limit: 25, pages, offset: 0 } }),
        )
      }
      if (around) return HttpResponse.json(aRanking(around, { periodUntil }))
      const missing = { reason: 'maps', maps: 3, authors: 1 }
      return problem(404, { code: 'player_unranked', message: 'English.', data: { missing } })
    }),
  )
}

const rowsOf = (table: HTMLElement) =>
  within(table)
    .getAllByRole('row')
    .map((row) => row.textContent)

const ranking = () => screen.findByRole('table', { name: 'Ranking', busy: false })

describe('the rankings', () => {
  it('show the players with what they have reached, and the change of the week', async () => {
    serve()
    renderRoute('/rankings')
    expect(await screen.findByRole('heading', { level: 1, name: 'Rankings' })).toBeVisible()
    expect(rowsOf(await ranking())).toEqual([
      '#PlayerPointsLast 7 daysWorld recordsAuthor medalsGold medalsFinished maps',
      '1Mmossfoot2,400.0-3.51 place down32414',
    ])
    expect(screen.getByText('80 players')).toHaveAttribute('role', 'status')
    expect(screen.getByText(/^Only players who have finished 5 maps by 3 authors are ranked\. As of /)).toBeVisible()
    expect(asked).toEqual(['by=points&limit=25&page=1&period=all'])
  })

  it('are reached from the search of players, and lead to the formula', async () => {
    serve()
    server.use(http.get(url('/players/search'), () => problem(500)))
    const { user, router } = renderRoute('/player-search')
    const tabs = await screen.findByRole('navigation', { name: 'Pages about players' })
    await user.click(within(tabs).getByRole('link', { name: 'Rankings' }))
    await ranking()
    expect(screen.getByRole('link', { name: 'Rankings' })).toHaveAttribute('aria-current', 'page')
    await user.click(screen.getAllByRole('link', { name: 'How points work' })[0] as HTMLElement)
    await waitFor(() => expect(router.state.location.pathname).toBe('/rankings/formula'))
  })

  it('keep what they are by, the mode, the period and the page in the address', async () => {
    serve()
    const { user, router } = renderRoute('/rankings')
    // The answer is asked for when the view of the address is shown.
    const shown = async (search: string, query: string) => {
      await waitFor(() => expect(router.state.location.search).toBe(search))
      await waitFor(() => expect(asked.at(-1)).toBe(query))
      await ranking()
    }
    await shown('', 'by=points&limit=25&page=1&period=all')
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await shown('?page=2', 'by=points&limit=25&page=2&period=all')
    await user.click(screen.getByRole('link', { name: 'World records' }))
    await shown('?by=worldRecords', 'by=worldRecords&limit=25&page=1&period=all')
    expect(screen.getByRole('link', { name: 'World records' })).toHaveAttribute('aria-current', 'page')
    await user.selectOptions(screen.getByRole('combobox', { name: 'Game Mode' }), 'Death Arrows')
    await shown('?by=worldRecords&mode=Death+Arrows', 'by=worldRecords&limit=25&mode=Death+Arrows&page=1&period=all')
    await user.click(screen.getByRole('link', { name: 'This month' }))
    await shown(
      '?by=worldRecords&mode=Death+Arrows&period=month',
      'by=worldRecords&limit=25&mode=Death+Arrows&page=1&period=month',
    )
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await shown(
      '?by=worldRecords&mode=Death+Arrows&period=month&page=2',
      'by=worldRecords&limit=25&mode=Death+Arrows&page=2&period=month',
    )
    expect(asked).toHaveLength(6)
    expect(screen.queryByRole('columnheader', { name: 'Last 7 days' })).not.toBeInTheDocument()
  })

  it('say how long the month still lasts, in the time zone of the visitor', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-05-25T12:00:00.000Z'))
    serve()
    renderRoute('/rankings?period=month')
    const end = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' }).format(
      new Date('2026-06-01T00:00:00.000Z'),
    )
    expect(
      await screen.findByText(
        `Personal bests of this month (UTC) count. It ends on ${end} in your time zone, in 6 days.`,
      ),
    ).toBeVisible()
  })

  it('show the own row below a page without it, and lead to it and its neighbours', async () => {
    serve()
    const scroll = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => {})
    const { user, router } = renderRoute('/rankings?by=goldMedals&page=2', { user: cloudstep })
    const pinned = await screen.findByRole('row', { name: /cloudstep/ })
    expect(pinned).toHaveTextContent(/^39CcloudstepYou4/)
    expect(pinned).toHaveAttribute('aria-current', 'true')
    await user.click(screen.getByRole('link', { name: 'Show my row' }))
    await waitFor(() => expect(router.state.location.search).toBe('?by=goldMedals&around=me'))
    await waitFor(() => expect(screen.getByRole('row', { name: /cloudstep/ })).toHaveFocus())
    expect(scroll).toHaveBeenCalledWith({ block: 'center' })
    expect(rowsOf(await ranking())).toHaveLength(2)
    expect(screen.queryByRole('navigation', { name: 'Pages of the ranking' })).not.toBeInTheDocument()
    await user.click(screen.getByRole('link', { name: 'Whole ranking' }))
    await waitFor(() => expect(router.state.location.search).toBe('?by=goldMedals'))
    await waitFor(() =>
      expect(new Set(asked)).toEqual(
        new Set([
          `around=${cloudstep._id}&by=goldMedals&period=all`,
          'by=goldMedals&limit=25&page=2&period=all',
          'by=goldMedals&limit=25&page=1&period=all',
        ]),
      ),
    )
  })

  it('mark the own row on its page', async () => {
    serve([first, own])
    renderRoute('/rankings', { user: cloudstep })
    await screen.findByRole('link', { name: 'Show my row' })
    expect(rowsOf(await ranking())).toHaveLength(3)
    expect(screen.getByRole('row', { name: /cloudstep/ })).toHaveAttribute('aria-current', 'true')
  })

  it('show the neighbours of any player', async () => {
    serve([first], [first, own])
    renderRoute(`/rankings?around=${mossfoot._id}`)
    await ranking()
    expect(screen.getByRole('row', { name: /mossfoot/ })).toHaveAttribute('aria-current', 'true')
    expect(asked).toEqual([`around=${mossfoot._id}&by=points&period=all`])
  })

  it('show the first page to visitors who ask for their own row', async () => {
    serve()
    renderRoute('/rankings?around=me')
    await ranking()
    expect(asked).toEqual(['by=points&limit=25&page=1&period=all'])
  })

  it('say what a player still needs', async () => {
    serve([first], null)
    const missing = '3 more maps must be finished, and maps by 1 more author.'
    const page = renderRoute('/rankings', { user: cloudstep })
    expect(await screen.findByText(`You are not in this ranking yet. ${missing}`)).toBeVisible()
    expect(screen.queryByRole('link', { name: 'Show my row' })).not.toBeInTheDocument()
    page.unmount()
    renderRoute('/rankings?around=x')
    expect(await screen.findByText('Not in this ranking yet')).toBeVisible()
    expect(screen.getByText(missing)).toBeVisible()
  })

  it('lead from a page past the end to the first', async () => {
    serve([])
    const { user, router } = renderRoute('/rankings?by=finished&page=9')
    expect(await screen.findByText('This page is past the last player.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'First page' }))
    await waitFor(() => expect(router.state.location.search).toBe('?by=finished'))
  })

  it('say that nobody is ranked, and offer to try again', async () => {
    const empty = renderRoute('/rankings')
    expect(await screen.findByText('Nobody is in this ranking yet.')).toBeVisible()
    empty.unmount()
    vi.spyOn(console, 'error').mockImplementation(() => {})
    server.use(http.get(url('/rankings'), () => problem(500)))
    const { user } = renderRoute('/rankings')
    expect(await screen.findByRole('alert')).toHaveTextContent('This could not be loaded.')
    serve()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(rowsOf(await ranking())).toHaveLength(2)
  })
})

describe('the formula', () => {
  it('is explained with the numbers of the site', async () => {
    server.use(
      http.get(url('/rankings'), () =>
        HttpResponse.json(aRanking([], { thresholds: { finishers: 3, maps: 2, authors: 1 } })),
      ),
    )
    renderRoute('/rankings/formula')
    expect(await screen.findByText(/have finished 2 maps by 1 author\./)).toBeVisible()
    expect(screen.getByText(/when 3 players who count have finished it/)).toBeVisible()
    expect(rowsOf(screen.getByRole('table', { name: 'Points with 31 finishers' }))).toEqual([
      'PlacebFinishBeatenBonusPoints',
      '1st3018.0462.0120.0600.0',
      '2nd2918.0446.669.6534.2',
      '3rd2818.0431.250.4499.6',
      '8th2318.0354.20.0372.2',
      '16th1518.0231.00.0249.0',
      '31st018.00.00.018.0',
    ])
    expect(rowsOf(screen.getByRole('table', { name: 'The total of six maps' }))).toEqual([
      'MapCounts as',
      '1st586.1 × 1 = 586.1',
      '2nd534.2 × 0.95 = 507.5',
      '3rd375.0 × 0.9025 = 338.4',
      '4th326.0 × 0.857375 = 279.5',
      '5th178.1 × 0.814506 = 145.1',
      '6th89.0 × 0.773781 = 68.9',
    ])
    expect(screen.getByText('1,925.5')).toBeVisible()
  })

  it.each([
    ['31', '2', '0', 'm = 30, b = 29, place 218.0 + 446.6 + 69.6 = 534.2'],
    ['31', '8', '1', 'm = 30, b = 22.5, place 818.0 + 346.5 + 0.0 = 364.5'],
    ['4', '1', '0', 'No points: 4 of 5 finishers.'],
    ['31', '31', '1', 'There are only 31 finishers.'],
    ['1', '2', '0', 'There is only 1 finisher.'],
    ['2500', '2', '0', 'm = 2,499, b = 2,498, place 2'],
    ['31', '0', '0', 'Please enter whole numbers.'],
    ['31', '', '0', 'Please enter whole numbers.'],
    ['31', '2', '1.5', 'Please enter whole numbers.'],
  ])('is computed for %s finishers, place %s and %s ties', async (finishers, place, tied, result) => {
    const { user } = renderRoute('/rankings/formula')
    const calculator = within(await screen.findByRole('region', { name: 'Calculator' }))
    for (const [label, value] of [
      ['Finishers who count, with you', finishers],
      ['Your place', place],
      ['Others with your time', tied],
    ] as const) {
      await user.clear(calculator.getByRole('textbox', { name: label }))
      if (value) await user.type(calculator.getByRole('textbox', { name: label }), value)
    }
    expect(calculator.getByRole('status')).toHaveTextContent(result)
  })
})
