import { PlayerSearch } from '@/features/players/PlayerSearch'
import { PageTitle } from '@/shared/components/PageTitle'
import { usePageTitle } from '@/shared/lib/usePageTitle'

export function Component() {
  usePageTitle('Player Search')
  return (
    <>
      <PageTitle title="Player Search" hint="Who runs, who builds, and how far they have come." />
      <PlayerSearch />
    </>
  )
}
