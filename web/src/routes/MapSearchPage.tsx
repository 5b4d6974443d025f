import { MapSearch } from '@/features/map-search/MapSearch'
import { PageHeading } from '@/ui/PageHeading'
import { usePageTitle } from '@/ui/usePageTitle'

export default function MapSearchPage() {
  usePageTitle('Map Search')
  return (
    <>
      <PageHeading hint="Every parkour map that has been finished. Pick one and see who was fastest.">
        Map Search
      </PageHeading>
      <MapSearch />
    </>
  )
}
