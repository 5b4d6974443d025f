import { screen, waitFor } from '@testing-library/react'
import { HttpResponse, http } from 'msw'
import { describe, expect, it } from 'vitest'
import { aMap, cloudstep, mossfoot } from '@/test/fixtures'
import { renderPart } from '@/test/render'
import { problem, server, url } from '@/test/server'
import { FollowMap, FollowPlayer } from './Follow'

const map = aMap()

// follows answers about one thing that can be followed.
function follows(path: string, following: boolean) {
  let now = following
  const change = (to: boolean) => () => {
    now = to
    return new HttpResponse(null, { status: 204 })
  }
  server.use(
    http.get(url(path), () => HttpResponse.json({ success: true, data: { following: now } })),
    http.put(url(path), change(true)),
    http.delete(url(path), change(false)),
  )
}

describe('the button that follows', () => {
  it('a player follows, and follows no longer', async () => {
    follows(`/follows/players/${mossfoot._id}`, false)
    const { user } = renderPart(<FollowPlayer player={mossfoot} />, { user: cloudstep })
    await waitFor(() => expect(screen.getByRole('button', { name: 'Follow mossfoot' })).toBeEnabled())
    await user.click(screen.getByRole('button', { name: 'Follow mossfoot' }))
    await user.click(await screen.findByRole('button', { name: 'Unfollow mossfoot' }))
    expect(await screen.findByRole('button', { name: 'Follow mossfoot' })).toBeVisible()
  })

  it('a map says that it is followed already', async () => {
    follows(`/follows/maps/${map._id}`, true)
    renderPart(<FollowMap map={map} />, { user: cloudstep })
    expect(await screen.findByRole('button', { name: 'Unfollow Skyline Run' })).toBeVisible()
  })

  it.each([
    [
      problem(422, { code: 'follows_full', message: 'You follow 500 players already.' }),
      'You follow 500 players already.',
    ],
    [problem(503), 'mossfoot could not be followed'],
  ])('a player reports a refusal', async (answer, text) => {
    server.use(http.put(url('/follows/players/:id'), () => answer.clone()))
    const { user } = renderPart(<FollowPlayer player={mossfoot} />, { user: cloudstep })
    await waitFor(() => expect(screen.getByRole('button', { name: 'Follow mossfoot' })).toBeEnabled())
    await user.click(screen.getByRole('button', { name: 'Follow mossfoot' }))
    expect(await screen.findByText(text)).toBeVisible()
  })

  it('is there neither for visitors nor for the player themselves', () => {
    const { unmount } = renderPart(
      <>
        <FollowPlayer player={mossfoot} />
        <FollowMap map={map} />
      </>,
    )
    expect(screen.queryByRole('button')).toBeNull()
    unmount()
    renderPart(<FollowPlayer player={cloudstep} />, { user: cloudstep })
    expect(screen.queryByRole('button')).toBeNull()
  })
})
