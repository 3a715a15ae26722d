// SPDX-License-Identifier: Apache-2.0

// Written by Tools/generate-word-lists; do not change this file by hand.
// The beginning of the list surnames of zxcvbn; NOTICE has its licence.

extension WordLists {
    /// Surnames of the census of the United States. The commonest first.
    static let surnames = """
        smith johnson williams jones brown davis miller wilson moore taylor anderson jackson white harris martin
        thompson garcia martinez robinson clark rodriguez lewis lee walker hall allen young hernandez king wright lopez
        hill green adams baker gonzalez nelson carter mitchell perez roberts turner phillips campbell parker evans
        edwards collins stewart sanchez morris rogers reed cook morgan bell murphy bailey rivera cooper richardson cox
        howard ward torres peterson gray ramirez watson brooks sanders price bennett wood barnes ross henderson coleman
        jenkins perry powell long patterson hughes flores washington butler simmons foster gonzales bryant alexander
        griffin diaz hayes myers ford hamilton graham sullivan wallace woods cole west owens reynolds fisher ellis
        harrison gibson mcdonald cruz marshall ortiz gomez murray freeman wells webb simpson stevens tucker porter hicks
        crawford boyd mason morales kennedy warren dixon ramos reyes burns gordon shaw holmes rice robertson hunt black
        daniels palmer mills nichols grant knight ferguson stone hawkins dunn perkins hudson spencer gardner stephens
        payne pierce berry matthews arnold wagner willis watkins olson carroll duncan snyder hart cunningham lane
        andrews ruiz harper fox riley armstrong carpenter weaver greene elliott chavez sims peters kelley franklin
        lawson fields gutierrez schmidt carr vasquez castillo wheeler chapman montgomery richards williamson johnston
        banks meyer bishop mccoy howell alvarez morrison hansen fernandez garza harvey burton nguyen jacobs reid fuller
        lynch garrett romero welch larson frazier burke hanson mendoza moreno bowman medina fowler brewer hoffman
        carlson silva pearson holland fleming jensen vargas byrd davidson hopkins herrera wade soto walters neal
        caldwell lowe jennings barnett graves jimenez horton shelton barrett obrien castro sutton mckinney lucas miles
        rodriquez chambers holt lambert fletcher watts bates hale rhodes pena beck newman haynes mcdaniel mendez bush
        vaughn parks dawson santiago norris hardy steele curry powers schultz barker guzman page munoz ball keller
        chandler weber walsh lyons ramsey wolfe schneider mullins benson sharp bowen barber cummings hines baldwin
        griffith valdez hubbard salazar reeves warner stevenson burgess santos tate cross garner mann mack moss thornton
        mcgee farmer delgado aguilar vega glover manning cohen harmon rodgers robbins newton blair higgins ingram reese
        cannon strickland townsend potter goodwin walton rowe hampton ortega patton swanson goodman maldonado yates
        becker erickson hodges rios conner adkins webster malone hammond flowers cobb moody quinn pope osborne mccarthy
        guerrero estrada sandoval gibbs gross fitzgerald stokes doyle saunders wise colon gill alvarado greer padilla
        waters nunez ballard schwartz mcbride houston christensen klein pratt briggs parsons mclaughlin zimmerman
        buchanan moran copeland pittman brady mccormick holloway brock poole logan bass marsh drake wong jefferson
        morton abbott sparks norton huff massey figueroa carson bowers roberson barton tran lamb harrington boone cortez
        clarke mathis singleton wilkins cain underwood hogan mckenzie collier luna phelps mcguire bridges wilkerson nash
        summers atkins wilcox pitts conley marquez burnett cochran chase davenport hood gates ayala sawyer vazquez
        dickerson hodge acosta flynn espinoza nicholson monroe wolf morrow whitaker oconnor skinner ware molina kirby
        huffman gilmore dominguez oneal lang combs kramer hancock gallagher gaines shaffer wiggins mathews mcclain
        fischer wall melton hensley bond dyer grimes contreras wyatt baxter snow mosley shepherd larsen hoover beasley
        petersen whitehead meyers garrison shields horn savage olsen schroeder hartman woodard mueller kemp deleon booth
        patel calhoun wiley eaton cline navarro harrell humphrey parrish duran hutchinson hess dorsey bullock robles
        beard dalton avila rich blackwell johns blankenship trevino salinas campos pruitt callahan montoya hardin guerra
        mcdowell stafford gallegos henson wilkinson booker merritt atkinson orr decker hobbs tanner knox pacheco
        stephenson glass rojas serrano marks hickman sweeney strong mcclure conway roth maynard farrell lowery hurst
        nixon weiss trujillo ellison sloan juarez winters mclean boyer villarreal mccall gentry carrillo ayers lara
        sexton pace hull leblanc browning velasquez leach chang sellers herring noble foley bartlett mercado landry
        durham walls barr mckee bauer rivers bradshaw pugh velez rush estes dodson morse sheppard weeks camacho bean
        barron livingston middleton spears branch blevins chen kerr mcconnell hatfield harding solis frost giles
        blackburn pennington woodward finley mcintosh koch mccullough blanchard rivas brennan mejia kane benton buckley
        valentine maddox russo mcknight buck moon mcmillan crosby berg dotson mays roach chan richmond meadows faulkner
        oneill knapp kline ochoa jacobson gay hendricks horne shepard hebert cardenas mcintyre waller holman donaldson
        cantu morin gillespie fuentes tillman bentley peck key salas rollins gamble dickson santana cabrera cervantes
        howe hinton hurley spence zamora yang mcneil suarez petty gould mcfarland sampson carver bray macdonald stout
        hester melendez dillon farley hopper galloway potts joyner stein aguirre osborn mercer bender franco rowland
        sykes pickett sears mayo dunlap hayden wilder mckay coffey mccarty ewing cooley vaughan bonner cotton holder
        stark ferrell cantrell fulton lott calderon pollard hooper burch mullen fry riddle levy duke odonnell britt
        daugherty berger dillard alston frye riggs chaney odom duffy fitzpatrick valenzuela mayer alford mcpherson
        acevedo barrera cote reilly compton mooney mcgowan craft clemons wynn nielsen baird stanton snider rosales
        bright witt hays holden rutledge kinney clements castaneda slater hahn burks delaney pate lancaster sharpe
        whitfield talley macias burris ratliff mccray madden kaufman beach goff cash bolton mcfadden levine byers
        kirkland kidd workman carney mcleod holcomb finch sosa haney franks sargent nieves downs rasmussen bird hewitt
        foreman valencia oneil delacruz vinson dejesus hyde forbes gilliam guthrie wooten huber barlow boyle mcmahon
        buckner rocha puckett langley knowles cooke velazquez whitley vang shea rouse hartley mayfield elder rankin
        hanna cowan lucero arroyo slaughter haas oconnell minor boucher archer boggs dougherty andersen newell crowe
        wang friedman bland swain holley pearce childs yarbrough galvan proctor meeks lozano mora rangel bacon
        villanueva schaefer rosado helms boyce goss stinson ibarra hutchins covington crowley hatcher mackey bunch
        womack polk dodd childress childers villa springer mahoney dailey belcher lockhart griggs costa brandt walden
        moser tatum mccann akers lutz pryor orozco mcallister lugo davies shoemaker rutherford newsome magee chamberlain
        blanton simms godfrey flanagan crum cordova escobar downing sinclair donahue krueger mcginnis gore farris webber
        corbett andrade starr lyon yoder hastings mcgrath spivey krause harden crabtree kirkpatrick arrington ritter
        mcghee bolden maloney gagnon dunbar ponce pike mayes beatty mobley kimball butts montes eldridge braun hamm
        gibbons moyer manley herron plummer elmore cramer rucker pierson fontenot rubio goldstein elkins wills novak
        hickey worley gorman katz dickinson broussard woodruff crow britton nance lehman bingham zuniga whaley shafer
        coffman steward delarosa neely mata davila mccabe kessler hinkle welsh pagan goldberg goins crouch cuevas
        quinones mcdermott hendrickson samuels denton bergeron ivey locke haines snell hoskins byrne arias corbin
        beltran chappell downey dooley tuttle couch payton mcelroy crockett groves cartwright dickey mcgill dubois muniz
        tolbert dempsey cisneros sewell latham vigil tapia rainey norwood stroud meade tipton kuhn hilliard bonilla
        teague gunn greenwood correa reece pineda phipps frey kaiser ames gunter schmitt milligan espinosa bowden
        vickers lowry pritchard costello piper mcclellan lovell sheehan hatch dobson singh jeffries hollingsworth
        sorensen meza fink donnelly burrell tomlinson colbert billings ritchie helton sutherland peoples mcqueen
        thomason givens crocker vogel robison dunham coker swartz keys ladner richter hargrove edmonds brantley albright
        murdock boswell muller quintero padgett kenney daly connolly inman quintana lund barnard villegas simons huggins
        tidwell sanderson bullard mcclendon duarte draper marrero dwyer abrams stover goode fraser crews bernal godwin
        conklin mcneal baca esparza crowder bower brewster mcneill rodrigues leal coates raines mccain mccord miner
        holbrook swift dukes carlisle aldridge ackerman starks ricks holliday ferris hairston sheffield lange fountain
        doss betts kaplan carmichael bloom ruffin penn kern bowles sizemore larkin dupree seals metcalf hutchison henley
        farr mccauley hankins gustafson curran waddell ramey cates pollock cummins messer heller funk cornett palacios
        galindo cano hathaway pham enriquez salgado pelletier painter wiseman blount feliciano houser doherty mead
        mcgraw swan capps blanco blackmon thomson mcmanus burkett gleason dickens cormier voss rushing rosenberg hurd
        dumas benitez arellano marin caudill bragg jaramillo huerta gipson colvin biggs vela platt cassidy tompkins
        mccollum dolan daley crump sneed kilgore grove grimm davison brunson prater marcum devine dodge stratton rosas
        choi tripp ledbetter hightower feldman epps yeager posey scruggs cope stubbs richey overton trotter sprague
        cordero butcher stiles burgos woodson horner bassett purcell haskins akins ziegler spaulding hadley grubbs
        sumner murillo zavala shook lockwood driscoll dahl thorpe redmond putnam mcwilliams mcrae romano joiner sadler
        hedrick hager hagen fitch coulter thacker mansfield langston guidry ferreira corley conn rossi lackey baez saenz
        mcnamara mcmullen mckenna mcdonough link engel browne roper peacock eubanks drummond stringer pritchett parham
        mims landers grayson schafer egan timmons ohara keen hamlin finn cortes mcnair nadeau moseley michaud rosen
        oakes kurtz jeffers calloway beal bautista winn suggs stern stapleton lyles laird montano dawkins hagan goldman
        bryson barajas lovett segura metz lockett langford hinson eastman hooks smallwood shapiro crowell whalen
        triplett chatman aldrich cahill youngblood ybarra stallings sheets reeder connelly bateman abernathy winkler
        wilkes masters hackett granger gillis schmitz sapp napier souza lanier gomes weir otero ledford burroughs
        babcock ventura siegel dugan bledsoe atwood wray varner spangler anaya staley kraft fournier belanger wolff
        thorne bynum burnette boykin swenson purvis pina khan duvall darby xiong kauffman healy engle benoit valle
        steiner spicer shaver randle lundy chin calvert staton neff kearney darden oakley medeiros mccracken crenshaw
        perdue dill whittaker tobin washburn hogue goodrich easley bravo dennison shipley kerns jorgensen crain
        villalobos maurer longoria keene coon witherspoon staples pettit kincaid eason madrid echols lusk stahl currie
        thayer shultz mcnally seay maher gagne barrow nava moreland honeycutt hearn diggs caron whitten westbrook
        stovall ragland munson meier looney kimble jolly hobson goddard culver burr presley negron connell tovar
        huddleston ashby salter root pendleton oleary nickerson myrick judd jacobsen bain adair starnes matos busby
        herndon hanley bellamy doty bartley yazzie rowell parson gifford cullen christiansen benavides barnhart talbot
        mock crandall connors bonds whitt gage bergman arredondo addison lujan dowdy jernigan huynh bouchard dutton
        rhoades ouellette kiser herrington hare blackman babb allred rudd paulson ogden koenig geiger begay parra
        lassiter hawk esposito waldron ransom prather chacon vick sands roark parr mayberry greenberg coley bruner
        whitman skaggs shipman leary hutton romo medrano ladd kruse askew schulz alfaro tabor mohr gallo bermudez
        pereira bliss reaves flint comer woodall naquin guevara delong carrier pickens tilley schaffer knutson fenton
        doran vogt vann prescott mclain landis corcoran zapata hyatt hemphill faulk dove boudreaux aragon whitlock trejo
        tackett shearer saldana hanks mckinnon koehler bourgeois keyes goodson foote lunsford goldsmith flood winslow
        sams reagan mccloud hough esquivel naylor loomis coronado ludwig braswell bearden huang fagan ezell edmondson
        cronin nunn lemon guillory grier dubose traylor ryder dobbins coyle aponte whitmore smalls rowan malloy cardona
        braxton borden humphries carrasco ruff metzger huntley hinojosa finney madsen ernst dozier burkhart bowser
        peralta daigle whittington sorenson saucedo roche redding fugate avalos waite lind huston hawthorne hamby boyles
        boles regan faust crook beam barger hinds gallardo willoughby willingham eckert busch zepeda worthington tinsley
        hoff hawley carmona varela rector newcomb kinsey dube whatley ragsdale bernstein becerra yost mattson felder
        cheek handy grossman gauthier escobedo braden beckman mott hillman flaherty dykes stockton stearns lofton coats
        cavazos beavers barrios tang mosher cardwell coles burnham weller lemons beebe aguilera parnell harman couture
        alley schumacher redd dobbs blum blalock merchant ennis denson cottrell brannon bagley aviles watt sousa
        rosenthal rooney dietz blank paquette mcclelland duff velasco lentz grubb burrows barbour ulrich shockley rader
        beyer mixon layton altman weathers stoner squires shipp priest lipscomb cutler caballero zimmer willett thurston
        storey medley epperson shah mcmillian baggett torrez hirsch dent poirier peachey farrar creech barth trimble
        dupre albrecht sample lawler crisp conroy wetzel nesbitt murry jameson wilhelm patten minton matson kimbrough
        guinn croft toth pulliam nugent newby littlejohn dias canales bernier baron singletary renteria pruett mchugh
        mabry landrum brower stoddard cagle stjohn scales kohler kellogg hopson gant tharp gann zeigler pringle hammons
        fairchild deaton chavis carnes rowley matlock kearns irizarry carrington starkey lopes jarrell craven baum
        littlefield linn humphreys etheridge cuellar chastain bundy speer skelton quiroz pyle portillo ponder moulton
        machado killian hutson hitchcock dowling cloud burdick spann pedersen levin leggett hayward dietrich beaulieu
        barksdale wakefield snowden briscoe bowie berman ogle mcgregor laughlin helm burden wheatley schreiber pressley
        parris alaniz agee swann snodgrass schuster radford monk mattingly harp girard cheney yancey wagoner ridley
        lombardo hudgins gaskins duckworth coburn willey prado newberry magana hammonds elam whipple slade serna ojeda
        liles dorman diehl upton reardon michaels goetz eller bauman baer layne hummel brenner amaya adamson ornelas
        dowell cloutier castellanos wellman saylor orourke moya montalvo kilpatrick durbin shell oldham kang garvin foss
        branham bartholomew templeton maguire holton rider monahan mccormack beaty anders streeter nieto nielson moffett
        lankford keating heck gatlin delatorre callaway adcock worrell unger robinette nowak jeter brunner steen parrott
        overstreet nobles montanez clevenger brinkley trahan quarles pickering pederson jansen grantham gilchrist crespo
        aiken schell schaeffer lorenz leyva harms dyson wallis pease leavitt cheng cavanaugh batts warden seaman
        rockwell quezada paxton linder houck fontaine durant caruso adler pimentel mize lytle cleary cason acker switzer
        isaacs higginbotham waterman vandyke stamper sisk shuler riddick mcmahan levesque hatton bronson bollinger
        arnett okeefe gerber gannon farnsworth baughman silverman satterfield mccrary kowalski grigsby greco cabral
        trout rinehart mahon linton gooden curley baugh wyman weiner schwab schuler morrissey mahan bunn thrasher spear
        waggoner qualls purdy mcwhorter mauldin gilman perryman newsom menard martino graf billingsley artis simpkins
        salisbury quintanilla gilliland fraley foust crouse scarborough grissom fultz marlow markham madrigal lawton
        barfield whiting varney schwarz gooch arce wheat truong poulin hurtado selby gaither fortner culpepper coughlin
        brinson boudreau bales stepp holm schilling morrell kahn heaton gamez causey turpin shanks schrader meek isom
        hardison carranza yanez scroggins schofield runyon ratcliff murrell moeller irby currier butterfield ralston
        pullen pinson estep carbone hawks ellington casillas spurlock sikes motley mccartney kruger isbell houle burk
        tomlin quigley neumann lovelace fennell cheatham bustamante skidmore hidalgo forman culp bowens betancourt
        aquino robb milner martel gresham wiles ricketts dowd collazo bostic blakely sherrod kenyon gandy ebert deloach
        allard sauer robins olivares gillette chestnut bourque paine hite hauser devore crawley chapa talbert poindexter
        meador mcduffie mattox kraus harkins choate wren sledge sanborn kinder geary cornwell barclay abney seward
        rhoads howland fortier benner vines tubbs troutman rapp mccurdy deluca westmoreland havens guajardo clary seal
        meehan herzog guillen ashcraft waugh renner milam elrod churchill breaux bolin asher windham tirado pemberton
        nolen noland knott emmons cornish christenson brownlee barbee waldrop pitt olvera lombardi gruber gaffney
        eggleston banda archuleta slone prewitt pfeiffer nettles mena mcadams henning gardiner cromwell chisholm
        burleson vest oglesby mccarter lumpkin wofford vanhorn thorn teel swafford stclair stanfield ocampo herrmann
        hannon arsenault roush mcalister hiatt gunderson forsythe duggan delvalle cintron wilks weinstein uribe rizzo
        noyes mclendon gurley bethea winstead maples guyton giordano alderman valdes polanco pappas lively grogan
        griffiths bobo arevalo whitson sowell rendon fernandes farrow benavidez ayres alicea stump smalley seitz schulte
        gilley gallant canfield wolford omalley mcnutt mcnulty mcgovern hardman harbin cowart chavarria brink beckett
        bagwell armstead anglin abreu reynoso krebs jett hoffmann greenfield forte burney broome sisson trammell
        partridge mace lomax lemieux gossett frantz fogle cooney broughton pence paulsen muncy mcarthur hollins
        beauchamp withers osorio mulligan hoyle dockery cockrell begley amador roby rains lindquist gentile everhart
        bohannon wylie sommers purnell fortin dunning breeden vail phelan phan marx cosby colburn boling biddle ledesma
        gaddis denney chow bueno berrios wicker tolliver thibodeaux nagle lavoie fisk crist barbosa reedy locklear kolb
        himes behrens beckwith weems wahl shorter shackelford rees muse cerda valadez thibodeau saavedra ridgeway reiter
        mchenry majors lachance keaton ferrara clemens blocker applegate needham mojica kuykendall hamel escamilla
        doughty burchett ainsworth vidal upchurch thigpen strauss spruill sowers riggins ricker mccombs harlow
        buffington sotelo olivas negrete morey macon logsdon lapointe bigelow bello westfall stubblefield lindley hein
        hawes farrington breen birch wilde steed sepulveda reinhardt proffitt minter messina mcnabb maier keeler gamboa
        donohue basham shinn crooks cota borders bills bachman tisdale tavares schmid pickard gulley fonseca delossantos
        condon batista wicks wadsworth martell littleton ison haag folsom brumfield broyles brito mireles mcdonnell
        leclair hamblin gough fanning binder winfield whitworth soriano palumbo newkirk mangum hutcherson comstock
        carlin beall bair wendt watters walling putman otoole morley mares lemus keener hundley dial damico billups
        strother mcfarlane lamm eaves crutcher caraballo canty atwell taft siler rust rawls rawlings prieto mcneely
        mcafee hulsey hackney galvez escalante delagarza crider bandy wilbanks stowe steinberg renfro masterson massie
        lanham haskell hamrick dehart burdette branson bourne babin aleman worthy tibbs smoot slack paradis mull luce
        houghton gantt furman danner christianson burge ashford arndt almeida stallworth shade searcy sager noonan
        mclemore mcintire maxey lavigne jobe ferrer falk coffin byrnes aranda apodaca stamps rounds peek olmstead
        lewandowski kaminski dunaway bruns brackett amato reich mcclung lacroix koontz herrick hardesty flanders cousins
        cato cade vickery shank nagel dupuis croteau cotter stuckey stine porterfield pauley moffitt knudsen hardwick
        goforth dupont blunt barrows barnhill shull rash loftis lemay kitchens horvath grenier fuchs fairbanks
        culbertson calkins burnside beattie ashworth albertson wertz vaught vallejo turk tuck tijerina sage peterman
        marroquin marr lantz hoang demarco cone berube barnette wharton stinnett slocum scanlon sander pinto mancuso
        lima headley epstein counts clarkson carnahan boren arteaga adame zook whittle whitehurst wenzel saxton reddick
        puente handley haggerty earley devlin chaffin cady acuna solano sigler pollack pendergrass ostrander janes
        francois crutchfield chamberlin brubaker baptiste willson reis neeley mullin mercier lira layman keeling higdon
        espinal chapin warfield toledo pulido peebles nagy montague mello lear jaeger hogg graff furr soliz poore
        mendenhall mclaurin maestas gable barraza tillery snead pond neill mcculloch mccorkle lightfoot hutchings
        holloman harness dorn bock zielinski turley treadwell stpierre starling somers oswald merrick easterling bivens
        truitt poston parry ontiveros olivarez moreau medlin lenz knowlton fairley cobbs chisolm bannister woodworth
        toler ocasio noriega neuman moye milburn mcclanahan lilley hanes flannery dellinger danielson conti blodgett
        beers weatherford strain karr hitt denham custer coble clough casteel bolduc batchelor ammons whitlow tierney
        staten sibley seifert schubert salcedo mattison laney haggard grooms dees cromer cooks colson caswell zarate
        swisher shin ragan pridgen mcvey matheny lafleur franz ferraro dugger whiteside rigsby mcmurray lehmann jacoby
        hildebrand hendrick headrick goad fincher drury borges archibald albers woodcock trapp soares seaton monson
        luckett lindberg kopp keeton healey garvey gaddy fain burchfield wentworth strand stack spooner saucier ricci
        plunkett pannell ness leger freitas fong elizondo duval beaudoin urbina rickard partin mcgrew mcclintock ledoux
        forsyth faison devries bertrand wasson tilton scarbrough leung irvine garber denning corral colley castleberry
        bowlin bogan beale baines trice rayburn parkinson nunes mcmillen leahy kimmel higgs fulmer carden bedford
        taggart spearman prichard morrill koonce heinz hedges guenther grice findley dover creighton boothe bayer
        arreola vitale valles raney osgood hanlon burley bounds worden weatherly vetter tanaka stiltner nevarez mosby
        montero melancon harter hamer goble gladden gist ginn akin zaragoza tarver sammons royster oreilly muir morehead
        luster kingsley kelso grisham glynn baumann alves yount tamayo paterson oates menendez longo hargis gillen
        desantis conover breedlove sumpter scherer rupp reichert heredia creel cohn clemmons casas bickford belton bach
        williford whitcomb tennant sutter stull mccallum langlois keel keegan dangelo dancy damron clapp clanton
        bankston oliveira mintz mcinnis martens mabe laster jolley hildreth hefner glaser duckett demers brockman blais
        alcorn agnew toliver tice seeley najera musser mcfall laplante galvin fajardo doan coyne copley clawson cheung
        barone wynne woodley tremblay stoll sparrow sparkman schweitzer sasser samples roney legg heim farias colwell
        christman bratcher winchester upshaw southerland sorrell sells mccloskey martindale luttrell loveless lovejoy
        linares latimer embry coombs bratton bostick venable tuggle toro staggs sandlin jefferies heckman griffis
        crayton clem browder thorton sturgill sprouse royer rousseau ridenour pogue perales peeples metzler mesa
        mccutcheon mcbee hornsby heffner corrigan armijo plante peyton paredes macklin hussey hodgson granados frias
        becnel batten almanza turney teal sturgeon meeker mcdaniels limon keeney hutto holguin gorham fishman fierro
        blanchette rodrigue reddy osburn oden lerma kirkwood keefer haugen hammett chalmers brinkman baumgartner zhang
        valerio tellez steffen shumate sauls ripley kemper guffey evers craddock carvalho blaylock banuelos balderas
        wheaton turnbull shuman pointer mosier mccue ligon kozlowski johansen ingle herr briones snipes rickman pipkin
        pantoja orosco moniz lawless kunkel hibbard galarza enos bussey schott salcido perreault mcdougal mccool haight
        garris easton conyers atherton wimberly utley spellman smithson slagle ritchey rand petit osullivan oaks nutt
        mcvay mccreary mayhew knoll jewett harwood cardoza ashe arriaga zeller wirth whitmire stauffer rountree redden
        mccaffrey martz larose langdon humes gaskin faber devito cass almond wingfield wingate villareal tyner smothers
        severson reno pennell maupin leighton janssen hassell hallman halcomb folse fitzsimmons fahey cranford bolen
        battles battaglia wooldridge trask rosser regalado mcewen keefe fuqua echevarria caro boynton andrus viera
        vanmeter taber spradlin seibert provost prentice oliphant laporte hwang hatchett hass greiner freedman covert
        chilton byars wiese venegas swank shrader roberge mullis mortensen mccune marlowe kirchner keck isaacson
        hostetler halverson gunther griswold fenner durden blackwood ahrens sawyers savoy nabors mcswain mackay lavender
        lash labbe jessup fullerton cruse crittenden correia centeno caudle canady callender alarcon ahern winfrey
        tribble salley roden musgrove minnick fortenberry carrion bunting batiste whited underhill stillwell rauch
        pippin perrin messenger mancini lister kinard hartmann fleck wilt treadway thornhill spalding rafferty pitre
        patino ordonez linkous kelleher homan galbraith feeney curtin coward camarillo buss bunnell bolt beeler autry
        alcala witte wentz stidham shively nunley meacham martins lemke lefebvre hynes horowitz hoppe holcombe dunne
        derr cochrane brittain bedard beauregard torrence strunk soria simonson shumaker scoggins oconner moriarty kuntz
        ives hutcheson horan hales garmon fitts bohn atchison wisniewski vanwinkle sturm sallee prosser moen lundberg
        kunz kohl keane jorgenson jaynes funderburk freed durr creamer cosgrove batson vanhoose thomsen teeter smyth
        redmon orellana maness heflin goulet frick forney bunker asbury aguiar talbott southard mowery mears lemmon
        krieger hickson elston duong delgadillo dayton dasilva conaway catron bruton bradbury bordelon bivins bittner
        bergstrom beals abell whelan tejada pulley pino norfleet nealy maes loper gatewood frierson freund finnegan cupp
        covey catalano boehm bader yoon walston tenney sipes rawlins medlock mccaskill mccallister marcotte maclean
        hughey henke harwell gladney gilson chism caskey brandenburg baylor villasenor veal thatcher stegall petrie
        nowlin navarrete lombard loftin lemaster kroll kovach kimbrell kidwell hershberger fulcher cantwell bustos
        boland bobbitt binkley wester weis verdin tong tiller sisco sharkey seymore rosenbaum rohr quinonez pinkston
        malley logue lessard lerner lebron krauss klinger halstead haller getz burrow alger shores pfeifer perron nelms
        munn mcmaster mckenney manns knudson hutchens huskey goebel flagg cushman click castellano carder bumgarner
        wampler spinks robson neel mcreynolds mathias maas loera jenson florez coons buckingham brogan berryman wilmoth
        wilhite thrash shephard seidel schulze roldan pettis obryan maki mackie hatley frazer fiore chesser bottoms
        bisson benefield allman wilke trudeau timm shifflett mundy milliken mayers leake kohn huntington horsley hermann
        guerin fryer frizzell foret flemming fife criswell carbajal bozeman boisvert angulo wallen tapp silvers ramsay
        oshea orta moll mckeever mcgehee linville kiefer ketchum howerton groce gass fusco corbitt betz bartels amaral
        aiello weddle sperry seiler runyan raley overby osteen olds mckeown matney lauer lattimore hindman hartwell
        fredrickson fredericks espino clegg carswell cambell burkholder woodbury welker totten thornburg theriault stitt
        stamm stackhouse scholl saxon rife razo quinlan pinkerton olivo nesmith nall mattos lafferty justus giron geer
        fielder drayton dortch conners conger boatwright billiot barden armenta tibbetts steadman slattery rinaldi
        raynor pinckney pettigrew milne matteson halsey gonsalves fellows durand desimone cowley cowles brill barham
        barela barba ashmore withrow valenti tejeda spriggs sayre salerno peltier peel merriman matheson lowman
        lindstrom hyland giroux earls dugas dabney collado briseno baxley whyte wenger vanover vanburen thiel schindler
        schiller rigby pomeroy passmore marble manzo mahaffey lindgren laflamme greathouse fite calabrese bayne yamamoto
        wick townes thames reinhart peeler naranjo montez mcdade mast markley marchand leeper kellum hudgens hennessey
        hadden gainey coppola borrego bolling beane ault slaton pape null mulkey lightner langer hillard ethridge
        enright derosa baskin weinberg turman somerville pardo noll lashley ingraham hiller hendon glaze cothran cooksey
        conte carrico abner wooley swope summerlin sturgis sturdivant stott spurgeon spillman speight roussel popp
        nutter mckeon mazza magnuson lanning kozak jankowski heyward forster corwin callaghan bays wortham usher theriot
        sayers sabo poling loya lieberman laroche labelle howes harr garay fogarty everson durkin dominquez chaves
        chambliss witcher vieira vandiver terrill stoker schreiner moorman liddell lawhorn krug irons hylton hollenbeck
        herrin hembree goolsby goodin gilmer foltz dinkins daughtry caban brim briley bilodeau wyant vergara tallent
        swearingen stroup scribner quillen pitman mccants maxfield martinson holtz flournoy brookins brody baumgardner
        straub sills roybal roundtree oswalt mcgriff mcdougall mccleary maggard gragg gooding godinez doolittle donato
        cowell cassell bracken appel zambrano reuter perea nakamura monaghan mickens mcclinton mcclary marler kish
        judkins gilbreath freese flanigan felts erdmann dodds chew brownell boatright barreto slayton sandberg saldivar
        pettway odum narvaez moultrie montemayor merrell lees keyser hoke hardaway hannan gilbertson fogg dumont deberry
        coggins buxton bucher broadnax beeson araujo appleton amundson aguayo ackley yocum worsham shivers sanches sacco
        robey rhoden pender ochs mccurry madera luong knotts jackman heinrich hargrave gault comeaux chitwood caraway
        boettcher bernhardt barrientos zink wickham whiteman thorp stillman settles schoonover roque riddell pilcher
        phifer novotny macleod hardee haase grider doucette clausen bevins beamon badillo tolley tindall soule snook
        seale pinkney pellegrino nowell nemeth mondragon mclane lundgren ingalls hudspeth hixson gearhart furlong downes
        dibble deyoung cornejo camara brookshire boyette wolcott surratt sellars segal salyer reeve rausch labonte haro
        gower freeland fawcett eads driggers donley collett bromley boatman ballinger baldridge volz trombley stonge
        shanahan rivard rhyne pedroza matias jamieson hedgepeth hartnett estevez eskridge denman chiu chinn catlett
        carmack buie bechtel beardsley bard ballou ulmer skeen robledo rincon reitz piazza munger moten mcmichael loftus
        ledet kersey groff fowlkes crumpton clouse bettis villagomez timmerman strom santoro roddy penrod musselman
        macpherson leboeuf harless haddad guido golding fulkerson fannin dulaney dowdell cottle ceja cate bosley benge
        albritton voigt trowbridge soileau seely rohde pearsall paulk orth nason mota mcmullin marquardt madigan hoag
        gillum gabbard fenwick danforth cushing cress creed cazares bettencourt barringer baber stansberry schramm
        rutter rivero oquendo necaise mouton montenegro miley mcgough marra macmillan lamontagne jasso horst hetrick
        heilman gaytan gall fortney dingle desjardins dabbs burbank brigham breland beaman arriola yarborough wallin
        toscano stowers reiss pichardo orton michels mcnamee mccrory leatherman kell keister horning hargett guay ferro
        deboer dagostino carper blanks beaudry towle tafoya stricklin strader soper sonnier sigmon schenk saddler pedigo
        mendes lunn lohr lahr kingsbury jarman hume holliman hofmann haworth harrelson hambrick flick edmunds dacosta
        crossman colston chaplin carrell budd weiler waits valentino trantham tarr solorio roebuck powe plank pettus
        pagano mink luker leathers joslin hartzell gambrell cepeda carty caputo brewington bedell ballew applewhite
        warnock walz urena tudor reel pigg parton mickelson meagher mclellan mcculley mandel leech lavallee kraemer
        kling kipp kehoe hochstetler harriman gregoire grabowski gosselin gammon fancher edens desai brannan armendariz
        woolsey whitehouse whetstone ussery towne testa tallman studer strait steinmetz sorrells sauceda rolfe paddock
        mitchem mcginn mccrea lovato hazen gilpin gaynor fike devoe delrio curiel burkhardt bode backus zinn watanabe
        wachter vanpelt turnage shaner schroder sato riordan quimby portis natale mckoy mccown kilmer hotchkiss hesse
        halbert gwinn godsey delisle chrisman canter arbogast angell acree yancy woolley wesson weatherspoon trainor
        stockman spiller sipe rooks reavis propst porras neilson mullens loucks llewellyn kumar koester klingensmith
        kirsch kester honaker hodson hennessy helmick garrity garibay drain casarez callis botello aycock avant wingard
        wayman tully theisen szymanski stansbury segovia rainwater preece pirtle padron mincey mckelvey mathes larrabee
        kornegay klug ingersoll hecht germain eggers dykstra deering decoteau deason dearing cofield carrigan bonham
        bahr aucoin appleby almonte yager womble wimmer weimer vanderpool stancil sprinkle romine remington pfaff
        peckham olivera meraz maze lathrop koehn hazelton halvorson hallock haddock ducharme dehaven caruthers brehm
        bosworth bost bias beeman basile bane aikens wold walther tabb suber strawn stocker shirey schlosser riedel
        rembert reimer pyles peele merriweather letourneau latta kidder hixon hillis hight herbst henriquez haygood
        hamill gabel fritts eubank dawes correll bushey buchholz brotherton botts barnwell auger atchley westphal
        veilleux ulloa stutzman shriver ryals pilkington moyers marrs mangrum maddux lockard laing kuhl harney hammock
        hamlett felker doerr depriest carrasquillo carothers bogle bischoff bergen albanese wyckoff vermillion vansickle
        thibault tetreault stickney shoemake ruggiero rawson racine philpot paschal mcelhaney mathison legrand lapierre
        kwan kremer jiles hilbert geyer faircloth ehlers egbert desrosiers dalrymple cotten cashman cadena boardman
        alcaraz wyrick therrien tankersley strickler puryear plourde pattison pardue mcginty mcevoy landreth kuhns koon
        hewett giddens emerick eades deangelis cosme ceballos birdsong benham bemis armour anguiano welborn tsosie
        storms shoup sessoms samaniego rood rojo rhinehart raby northcutt myer munguia morehouse mcdevitt mallett lozada
        lemoine kuehn hallett grim gillard gaylor garman gallaher feaster faris darrow dardar coney carreon braithwaite
        boylan boyett bixler bigham benford barragan barnum zuber wyche westcott vining stoltzfus simonds shupe sabin
        ruble rittenhouse richman perrone mulholland millan lomeli kite jemison hulett holler hickerson herold hazelwood
        griffen gause forde eisenberg dilworth charron chaisson bristow breunig brace boutwell bentz belk bayless
        batchelder baran baeza zimmermann weathersby volk toole theis tedesco searle schenck satterwhite ruelas rankins
        partida nesbit morel menchaca levasseur kaylor johnstone hulse hollar hersey harrigan harbison guyer gish giese
        gerlach geller geisler falcone elwell doucet deese darr corder chafin byler bussell burdett brasher bowe
        bellinger bastian barner alleyne wilborn weil wegner tatro spitzer smithers schoen resendez parisi overman
        obrian mudd mahler maggio lindner lalonde lacasse laboy killion kahl jessen jamerson houk henshaw gustin graber
        durst duenas davey cundiff conlon colunga coakley chiles capers buell bricker bissonnette bartz bagby zayas
        volpe treece toombs thom terrazas swinney skiles silveira shouse senn ramage moua langham kyles holston hoagland
        herd feller denison carraway burford bickel ambriz abercrombie yamada weidner waddle verduzco thurmond swindle
        schrock sanabria rosenberger probst peabody olinger nazario mccafferty mcbroom mcabee mazur matherne mapes
        leverett killingsworth heisler griego gosnell frankel franke ferrante fenn ehrlich christopherso chasse caton
        brunelle bloomfield babbitt azevedo abramson ables abeyta youmans wozniak wainwright stowell smitherman
        samuelson runge rothman rosenfeld peake owings olmos munro moreira leatherwood larkins krantz kovacs kizer
        kindred karnes jaffe hubbell hosey hauck goodell erdman dvorak doane cureton cofer buehler bierman berndt banta
        abdullah warwick waltz turcotte torrey stith seger sachs quesada pinder peppers pascual paschall parkhurst ozuna
        oster nicholls lheureux lavalley kimura jablonski haun gourley gilligan croy cotto cargill burwell burgett
        buckman booher adorno wrenn whittemore urias szabo sayles saiz rutland rael pharr pelkey ogrady nickell musick
        moats mather massa kirschner kieffer kellar hendershot gott godoy gadson furtado fiedler erskine dutcher dever
        daggett chevalier brake ballesteros amerson wingo waldon trott silvey showers schlegel ritz pepin pelayo parsley
        palermo moorehead mchale lett kocher kilburn iglesias humble hulbert huckaby hartford hardiman gurney grigg
        grasso goings fillmore farber depew dandrea cowen covarrubias burrus bracy ardoin thompkins standley radcliffe
        pohl persaud parenteau pabon newson newhouse napolitano mulcahy malave keim hooten hernandes heffernan hearne
        greenleaf glick fuhrman fetter faria dishman dickenson crites criss clapper chenault castor casto bugg bove
        bonney anderton allgood alderson woodman warrick toomey tooley tarrant summerville stebbins sokol searles schutz
        schumann scheer remillard raper proulx palmore monroy messier melo melanson mashburn manzano lussier jenks
        huneycutt hartwig grimsley fulk fielding fidler engstrom eldred dantzler crandell calder brumley breton brann
        bramlett boykins bianco bancroft almaraz alcantar whitmer whitener welton vineyard rahn paquin mizell mcmillin
        mckean marston maciel lundquist liggins lampkin kranz koski kirkham jiminez hazzard harrod graziano grammer
        gendron garrido fordham englert dryden demoss deluna crabb comeau brummett blume benally wessel vanbuskirk
        thorson stumpf stockwell reams radtke rackley pelton niemi newland nelsen morrissette miramontes mcginley
        mccluskey marchant luevano lampe lail jeffcoat infante hinman gaona eady desmarais decosta dansby cisco choe
        breckenridge bostwick borg bianchi alberts wilkie whorton vargo tait soucy schuman ousley mumford lippert leath
        lavergne laliberte kirksey kenner johnsen izzo hiles gullett greenwell gaspar galbreath gaitan ericson delapaz
        croom cottingham clift bushnell bice beason arrowood waring voorhees truax shreve shockey schatz sandifer rubino
        rozier roseberry pieper peden nester nave murphey malinowski macgregor lafrance kunkle kirkman hipp hasty haddix
        gervais gerdes gamache fouts fitzwater dillingham deming deanda cedeno cannady burson bouldin arceneaux
        woodhouse whitford wescott welty weigel torgerson toms surber sunderland sterner setzer riojas pumphrey puga
        metts mcgarry mccandless magill lupo loveland llamas leclerc koons kahler huss holbert heintz haupt grimmett
        gaskill ellingson dorr dingess deweese desilva crossley cordeiro converse conde caldera cairns burmeister
        burkhalter brawner bott youngs vierra valladares shrum shropshire sevilla rusk rodarte pedraza nino merino
        mcminn markle mapp lajoie koerner kittrell kato hyder hollifield heiser hazlett greenwald fant eldredge dreher
        delafuente cravens claypool beecher aronson alanis worthen wojcik winger whitacre valverde valdivia troupe
        thrower swindell suttles stroman spires slate shealy sarver sartin sadowski rondeau rolon rascon priddy paulino
        nolte munroe molloy mciver lykins loggins lenoir klotz kempf hupp hollowell hollander haynie harkness harker
        gottlieb frith eddins driskell doggett densmore charette cassady byrum burcham buggs benn whitted warrington
        vandusen vaillancourt steger siebert scofield quirk purser plumb orcutt nordstrom mosely michalski mcphail
        mcdavid mccraw marchese mannino lefevre largent lanza kress isham hunsaker hoch hildebrandt guarino grijalva
        graybill fick ewell ewald cusick crumley coston cathcart carruthers bullington bowes blain blackford barboza
        yingling wert weiland varga silverstein sievers shuster shumway runnels rumsey renfroe provencher polley mohler
        middlebrooks kutz koster groth glidden fazio deen chipman chenoweth champlin cedillo carrero carmody buckles
        brien boutin bosch berkowitz altamirano wilfong wiegand waites truesdale toussaint tobey tedder steelman sirois
        schnell robichaud richburg plumley pizarro piercy ortego oberg neace mertz mcnew matta lapp lair kibler howlett
        hollister hofer hatten hagler falgoust engelhardt eberle dombrowski dinsmore daye casares braud balch autrey
        wendel tyndall strobel stoltz spinelli serrato reber rathbone palomino nickels mayle mathers mach loeffler
        littrell levinson leong lemire lejeune lazo lasley koller kennard hoelscher hintz hagerman greaves fore eudy
        engler corrales cordes brunet bidwell bennet tyrrell tharpe swinton stribling southworth sisneros savoie samons
        ruvalcaba ries ramer omara mosqueda millar mcpeak macomber luckey litton lehr lavin hubbs hoard hibbs hagans
        futrell exum evenson culler carbaugh callen brashear bloomer blakeney bigler addington woodford unruh tolentino
        sumrall stgermain smock sherer rayner pooler oquinn nero mcglothlin linden kowal kerrigan ibrahim harvell
        hanrahan goodall geist fussell fung ferebee eley eggert dorsett dingman destefano colucci clemmer burnell
        brumbaugh boddie berryhill avelar alcantara winder winchell vandenberg trotman thurber thibeault stlouis
        stilwell sperling shattuck sarmiento ruppert rumph renaud randazzo rademacher quiles pearman palomo mercurio
        lowrey lindeman lawlor larosa lander labrecque hovis holifield henninger hawkes hartfield hann hague genovese
        garrick fudge frink eddings dinh cribbs calvillo bunton brodeur bolding blanding agosto zahn wiener trussell
        tello teixeira speck sharma shanklin sealy scanlan santamaria roundy robichaux ringer rigney prevost polson nord
        moxley medford mccaslin mcardle macarthur lewin lasher ketcham keiser heine hackworth grose grizzle gillman
        gartner frazee fleury edson edmonson derry cronk conant burress burgin broom brockington bolick boger birchfield
        billington baily bahena armbruster anson yoho wilcher tinney timberlake thielen sutphin stultz sikora serra
        schulman scheffler santillan rego preciado pinkham mickle lomas lizotte lent kellerman keil johanson hernadez
        hartsfield haber gorski farkas eberhardt duquette delano cropper cozart cockerham chamblee cartagena cahoon
        buzzell brister brewton blackshear benfield aston ashburn arruda wetmore weise vaccaro tucci sudduth stromberg
        stoops showalter shears runion rowden rosenblum riffle renfrow peres obryant leftwich lark landeros kistler
        killough kerley kastner hoggard hartung guertin govan gatling gailey fullmer fulford flatt esquibel endicott
        edmiston edelstein dufresne dressler dickman chee busse bonnett berard yoshida velarde veach vanhouten vachon
        tolson tolman tennyson stites soler shutt ruggles rhone pegues neese muro moncrief mefford mcphee mcmorris
        mceachern mcclurg mansour mader leija lecompte lafountain labrie jaquez heald hash hartle gainer frisby farina
        eidson edgerton dyke durrett duhon cuomo cobos cervantez bybee brockway borowski binion beery arguello amaro
        acton yuen winton wigfall weekley vidrine vannoy tardiff shoop shilling schick safford prendergast pilgrim
        pellerin osuna nissen nalley moller messner messick merrifield mcguinness matherly marcano mahone lemos lebrun
        jara hoffer herren hecker haws haug gwin gober gilliard fredette favela echeverria downer donofrio desrochers
        crozier corson bechtold argueta aparicio zamudio westover westerman utter troyer thies tapley slavin shirk
        sandler roop rimmer raymer radcliff otten moorer millet mckibben mccutchen mcavoy mcadoo mayorga mastin
        martineau marek madore leflore kroeger kennon jimerson hostetter hornback hendley hance guardado granado gowen
        goodale flinn fleetwood fitz durkee duprey dipietro dilley clyburn brawley beckley arana weatherby vollmer
        vestal tunnell trigg tingle takahashi sweatt storer snapp shiver rooker rathbun poisson perrine perri parmer
        parke pare papa palmieri midkiff mecham mccomas mcalpine lovelady lillard lally knopp kile kiger haile gupta
        goldsberry gilreath fulks friesen franzen flack findlay ferland dreyer dore dennard deckard debose crim coulombe
        chancey cantor branton bissell barns woolard witham wasserman spiegel shoffner scholz ruch rossman petry palacio
        paez neary mortenson millsap miele menke mckim mcanally martines lemley larochelle klaus klatt kaufmann kapp
        helmer hedge halloran glisson frechette fontana eagan distefano danley creekmore chartier chaffee carillo burg
        bolinger berkley benz basso bash zelaya woodring witkowski wilmot wilkens wieland verdugo urquhart tsai timms
        swiger swaim sussman pires molnar mcatee lowder loos linker landes kingery hufford higa hendren hammack hamann
        gillam gerhardt edelman delk deans curl constantine cleaver claar casiano carruth carlyle brophy bolanos bibbs
        bessette beggs baugher bartel averill andresen amin adames valente turnbow swink sublett stroh stringfellow
        ridgway pugliese poteat ohare neubauer murchison mingo lemmons kwon kellam kean jarmon hyden hudak hollinger
        henkel hemingway hasson hansel halter haire ginsberg gillispie
        """
}
