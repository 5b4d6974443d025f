import { act, render, screen } from '@testing-library/react'
import { Suspense } from 'react'
import { expect, test, vi } from 'vitest'
import { nextPaint } from './usePainted'

const Loaded = ({ name }: { name: string }) => <p>Points of {name}</p>
const Other = ({ name }: { name: string }) => <p>No points of {name}</p>

// aVisit returns lazyPart as it is before the first page is shown: the module is evaluated once for each name.
const aVisit = async (name: string) =>
  (await vi.importActual<typeof import('./lazyPart')>(`./lazyPart?${name}`)).lazyPart

test('requests the code of a part when the first page has been painted', async () => {
  const lazyPart = await aVisit('painted')
  const load = vi.fn(async () => ({ default: Loaded }))
  const Part = lazyPart(load)
  render(
    <Suspense fallback={<p>Loading</p>}>
      <Part name="Ada" />
    </Suspense>,
  )

  await nextPaint()
  expect(load).not.toHaveBeenCalled()
  expect(screen.getByText('Loading')).toBeVisible()

  expect(await screen.findByText('Points of Ada')).toBeVisible()
  expect(load).toHaveBeenCalledTimes(1)

  // The next page does not wait.
  const loadNext = vi.fn(async () => ({ default: Other }))
  const Next = lazyPart(loadNext)
  render(
    <Suspense>
      <Next name="Bob" />
    </Suspense>,
  )
  await act(async () => {})
  expect(loadNext).toHaveBeenCalledTimes(1)
})

test('shows the other component where the code cannot be loaded', async () => {
  const lazyPart = await aVisit('other')
  const Part = lazyPart<{ name: string }>(async () => {
    throw new Error('The network is down.')
  }, Other)
  render(
    <Suspense>
      <Part name="Ada" />
    </Suspense>,
  )

  expect(await screen.findByText('No points of Ada')).toBeVisible()
})

test('shows nothing where there is no other component', async () => {
  const lazyPart = await aVisit('nothing')
  const Part = lazyPart<{ name: string }>(async () => {
    throw new Error('The network is down.')
  })
  const { container } = render(
    <Suspense fallback={<p>Loading</p>}>
      <Part name="Ada" />
    </Suspense>,
  )

  await vi.waitFor(() => expect(screen.queryByText('Loading')).toBeNull())
  expect(container).toBeEmptyDOMElement()
})
