import { msg } from '@lingui/core/macro'
import { screen } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import type { ReactElement } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import { useGetMapQuery } from '@/api'
import { aMap } from '@/test/fixtures'
import { reload, renderPart } from '@/test/render'
import { problem, server, url } from '@/test/server'
import { hasFailed, Loaded } from './Loaded'

const messages = { refused: msg`Failed to load map details`, unreachable: msg`Something went wrong while loading data` }

function MapName({ missing }: { missing?: ReactElement }) {
  const query = useGetMapQuery({ id: 'a' })
  return (
    <>
      {hasFailed({ query }) && <p>Failed</p>}
      <Loaded query={query} messages={messages} skeleton={<p>Loading</p>} missing={missing}>
        {({ name }) => <p>{name}</p>}
      </Loaded>
    </>
  )
}

const answers: (() => Response | Promise<Response>)[] = []
const found = () => HttpResponse.json({ success: true, data: aMap() })
const gone = () => problem(404, { code: 'map_unknown' })

beforeEach(() => {
  answers.length = 0
  server.use(http.get(url('/maps/:id'), () => answers.shift()?.() ?? problem(500)))
})

describe('a single thing', () => {
  it('is missing once it is gone, though it was shown before', async () => {
    answers.push(found, gone)
    const { store } = renderPart(<MapName missing={<p>There is no such map.</p>} />)
    expect(await screen.findByText('Skyline Run')).toBeVisible()
    await reload(store, ['Map'])
    expect(await screen.findByText('There is no such map.')).toBeVisible()
    expect(screen.getByText('Failed')).toBeVisible()
    expect(screen.queryByText('Skyline Run')).not.toBeInTheDocument()
  })

  it('stays where it cannot be loaded again', async () => {
    answers.push(found, () => problem(500))
    const { store } = renderPart(<MapName missing={<p>There is no such map.</p>} />)
    expect(await screen.findByText('Skyline Run')).toBeVisible()
    await reload(store, ['Map'])
    await expect.poll(() => store.getState().api.queries['getMap({"id":"a"})']?.status).toBe('rejected')
    expect(screen.getByText('Skyline Run')).toBeVisible()
    expect(screen.queryByText('Failed')).not.toBeInTheDocument()
  })

  it('loads visibly after it has failed, and reports the next failure anew', async () => {
    let fail = () => {}
    const failure = new Promise<Response>((resolve) => {
      fail = () => resolve(problem(500))
    })
    answers.push(
      () => problem(500),
      () => failure,
      found,
    )
    const { user } = renderPart(<MapName />)
    const alert = await screen.findByRole('alert')
    expect(alert).toHaveTextContent('Failed to load map details')
    expect(screen.getByText('Failed')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Loading')).toBeVisible()
    expect(screen.queryByText('Failed')).not.toBeInTheDocument()
    expect(alert).not.toBeInTheDocument()
    fail()
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load map details')
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Skyline Run')).toBeVisible()
  })
})
