import { MapSearch } from '@/features/maps/MapSearch'
import { PageTitle } from '@/shared/components/PageTitle'
import { usePageTitle } from '@/shared/lib/usePageTitle'

export function Component() {
  usePageTitle('Map Search')
  return (
    <>
      <PageTitle
        title="Map Search"
        hint="Every parkour map that somebody has finished. Pick one and see who was fastest."
      />
      <MapSearch />
    </>
  )
}
