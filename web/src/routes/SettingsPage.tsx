import { Outlet } from 'react-router'
import { SettingsMenu } from '@/features/settings/SettingsMenu'
import { Box, Grid } from '@/ui'

export default function SettingsPage() {
  return (
    <Grid gap={{ base: '6', md: '10' }} gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: '11rem minmax(0, 1fr)' }}>
      <SettingsMenu />
      <Box>
        <Outlet />
      </Box>
    </Grid>
  )
}
