-- Opens a template in Neovim with drydock's language server, and prints what the editor receives as JSON lines.
local server = vim.fn.json_decode(vim.env.DRYDOCK_SERVER)
local file = vim.env.DRYDOCK_FILE

local function report(name, value)
  io.stdout:write(vim.fn.json_encode({ name = name, value = value }) .. '\n')
end

local function wait(what, done)
  if not vim.wait(20000, done, 50) then
    report('timeout', what)
    vim.cmd('cquit')
  end
end

vim.cmd('edit ' .. file)
vim.bo.filetype = 'helm'
local client = vim.lsp.start_client({ name = 'drydock', cmd = server, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, client)
wait('the server', function()
  return #vim.lsp.get_active_clients() > 0 and vim.lsp.get_active_clients()[1].initialized
end)

local function request(method, line, column)
  local params = vim.lsp.util.make_position_params(0, 'utf-16')
  params.position = { line = line - 1, character = column - 1 }
  params.context = { includeDeclaration = true, triggerKind = 1 }
  local answers = vim.lsp.buf_request_sync(0, method, params, 10000)
  return answers[client] and answers[client].result
end

local function position_after(text)
  local at = vim.fn.searchpos(text, 'nw')
  return at[1], at[2] + #text
end

local line, column = position_after('.Values.image.pullP')
wait('the first rendering', function()
  local found = request('textDocument/hover', line, column)
  return found ~= nil and found ~= vim.NIL and found.contents ~= nil
end)
report('hover', request('textDocument/hover', line, column).contents.value)
report('definition', request('textDocument/definition', line, column)[1].uri)
local labels = {}
for _, item in ipairs(request('textDocument/completion', position_after('.Values.image.'))) do
  table.insert(labels, item.label)
end
report('completion', labels)

-- Removes the closing braces and waits for a diagnostic.
local text = vim.fn.getline(line)
vim.fn.setline(line, (text:gsub(' }}', ' ')))
wait('a diagnostic', function()
  return #vim.diagnostic.get(0) > 0
end)
report('broken', vim.tbl_map(function(one)
  return (one.lnum + 1) .. ': ' .. one.message
end, vim.diagnostic.get(0)))
vim.fn.setline(line, text)
wait('no diagnostic', function()
  return #vim.diagnostic.get(0) == 0
end)
report('repaired', #vim.diagnostic.get(0))
vim.cmd('qall!')
