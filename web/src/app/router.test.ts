import { waitFor } from '@testing-library/react'
import { http } from 'msw'
import { expect, it } from 'vitest'
import { makeStore } from '@/store/store'
import { problem, server, url } from '@/test/server'
import { prefetchLinks } from './router'

it('fetches the data of a page when a pointer or the focus comes to a link to it', async () => {
  const requested: unknown[] = []
  server.use(
    http.get(url('/maps/:id'), ({ params }) => {
      requested.push(params.id)
      return problem(404)
    }),
  )
  prefetchLinks(makeStore())
  document.body.innerHTML = `
    <a id="focused" href="/replay-submit/first">First</a>
    <a href="/replay-submit/second"><b id="pointed">Second</b></a>
    <a id="download" href="/replay-submit/third" download>Third</a>`
  document.getElementById('download')?.focus()
  document.getElementById('focused')?.focus()
  await waitFor(() => expect(requested).toEqual(['first']))
  document.getElementById('pointed')?.dispatchEvent(new MouseEvent('pointerover', { bubbles: true }))
  await waitFor(() => expect(requested).toEqual(['first', 'second']))
})
