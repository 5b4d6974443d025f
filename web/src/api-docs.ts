// The page of the API's documentation, which the gateway serves at /api/v1/docs: Swagger UI on the merged document, in the
// site's colour mode.
import 'swagger-ui-dist/swagger-ui.css'
import './api-docs.css'
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'

const root = document.documentElement
root.classList.toggle('dark-mode', root.classList.contains('dark'))

SwaggerUI({
  domNode: document.getElementById('api-docs'),
  url: '/api/v1/openapi.json',
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  // The validator is another host.
  validatorUrl: null,
})
